/** /v1/federations */
import type { Federation } from '../../model/federation.ts'
import type { Page } from '../../model/operation.ts'
import type { Service } from '../service.ts'
import type { JsonPatch } from './json-patch.ts'
import { getOne, segment } from './one.ts'
import { listAll } from './paging.ts'
import { accepted, federationShape } from './shapes.ts'

const one = (ref: string): string => `/federations/${segment(ref)}`

export const listFederations = (service: Service, page: Page, detail: boolean): Promise<Federation[]> =>
  listAll(
    service,
    { path: detail ? '/federations/detail' : '/federations', plural: 'federations', item: federationShape },
    page,
  )

export const getFederation = (service: Service, ref: string): Promise<Federation> =>
  getOne(service, 'federation', { method: 'GET', path: one(ref), expects: federationShape })

export interface NewFederation {
  name: string
  hostcluster_id: string
  properties: Record<string, string>
}

export const createFederation = (service: Service, body: NewFederation): Promise<{ uuid: string }> =>
  service.json({ method: 'POST', path: '/federations', body, expects: accepted })

export const patchFederation = (
  service: Service,
  ref: string,
  patch: JsonPatch,
  rollback = false,
): Promise<{ uuid: string }> =>
  service.json({
    method: 'PATCH',
    path: one(ref),
    body: patch,
    ...(rollback ? { query: { rollback: 'True' } } : {}),
    expects: accepted,
  })

export const deleteFederation = async (service: Service, ref: string): Promise<void> => {
  await service.call({ method: 'DELETE', path: one(ref) })
}
