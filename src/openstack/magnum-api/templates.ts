/** /v1/clustertemplates: every answer is complete and synchronous. */
import type { ClusterTemplate } from '../../model/cluster.ts'
import type { Page } from '../../model/operation.ts'
import type { Service } from '../service.ts'
import type { JsonPatch } from './json-patch.ts'
import { getOne, type RequestBody, segment } from './one.ts'
import { listAll } from './paging.ts'
import { templateShape } from './shapes.ts'

const one = (ref: string): string => `/clustertemplates/${segment(ref)}`

export const listTemplates = (service: Service, page: Page): Promise<ClusterTemplate[]> =>
  listAll(service, { path: '/clustertemplates', plural: 'clustertemplates', item: templateShape }, page)

export const getTemplate = (service: Service, ref: string): Promise<ClusterTemplate> =>
  getOne(service, 'cluster template', { method: 'GET', path: one(ref), expects: templateShape })

export const createTemplate = (service: Service, body: RequestBody): Promise<ClusterTemplate> =>
  service.json({ method: 'POST', path: '/clustertemplates', body, expects: templateShape })

export const patchTemplate = (service: Service, ref: string, patch: JsonPatch): Promise<ClusterTemplate> =>
  service.json({ method: 'PATCH', path: one(ref), body: patch, expects: templateShape })

export const deleteTemplate = async (service: Service, ref: string): Promise<void> => {
  await service.call({ method: 'DELETE', path: one(ref) })
}
