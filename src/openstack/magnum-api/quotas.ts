/** /v1/quotas: how much of a resource a project may have. */
import type { Quota } from '../../model/administration.ts'
import type { Page } from '../../model/operation.ts'
import type { Service } from '../service.ts'
import { segment } from './one.ts'
import { listAll } from './paging.ts'
import { quotaShape } from './shapes.ts'

const one = (project: string, resource: string): string => `/quotas/${segment(project)}/${segment(resource)}`

export const listQuotas = (service: Service, page: Page, allTenants: boolean): Promise<Quota[]> =>
  listAll(
    service,
    { path: '/quotas', plural: 'quotas', query: { all_tenants: allTenants ? 'True' : undefined }, item: quotaShape },
    page,
  )

/** Never a 404: a project without its own quota has the cloud's default, and then the answer has no id. */
export const getQuota = (service: Service, project: string, resource: string): Promise<Quota> =>
  service.json({ method: 'GET', path: one(project, resource), expects: quotaShape })

export const createQuota = (service: Service, body: NewQuota): Promise<Quota> =>
  service.json({ method: 'POST', path: '/quotas', body, expects: quotaShape })

/** Takes a plain object rather than a JSON patch. */
export const updateQuota = (service: Service, body: NewQuota): Promise<Quota> =>
  service.json({ method: 'PATCH', path: one(body.project_id, body.resource), body, expects: quotaShape })

export const deleteQuota = async (service: Service, project: string, resource: string): Promise<void> => {
  await service.call({ method: 'DELETE', path: one(project, resource) })
}

export interface NewQuota {
  project_id: string
  resource: string
  hard_limit: number
}
