/** /v1/clusters */
import { CoeError } from '../../core/errors.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { Page } from '../../model/operation.ts'
import type { Service } from '../service.ts'
import { retryHalfDeleted } from './half-deleted.ts'
import type { JsonPatch } from './json-patch.ts'
import { getOne, type RequestBody, segment } from './one.ts'
import { listAll } from './paging.ts'
import { accepted, clusterShape } from './shapes.ts'

const one = (ref: string): string => `/clusters/${segment(ref)}`

export const listClusters = (service: Service, page: Page, detail: boolean): Promise<Cluster[]> =>
  retryHalfDeleted(service, () =>
    listAll(service, { path: detail ? '/clusters/detail' : '/clusters', plural: 'clusters', item: clusterShape }, page),
  )

export const getCluster = (service: Service, ref: string): Promise<Cluster> =>
  retryHalfDeleted(service, () => getOne(service, 'cluster', { method: 'GET', path: one(ref), expects: clusterShape }))

/** Only newer servers allow zero nodes. */
export const createCluster = (service: Service, body: RequestBody): Promise<{ uuid: string }> =>
  service.json({
    method: 'POST',
    path: '/clusters',
    body,
    needs: body.node_count === 0 ? '1.10' : '1.2',
    expects: accepted,
  })

export async function patchCluster(
  service: Service,
  ref: string,
  patch: JsonPatch,
  rollback: boolean,
): Promise<{ uuid: string }> {
  const send = (needs: string) =>
    service.json<{ uuid: string }>({
      method: 'PATCH',
      path: one(ref),
      body: patch,
      ...(rollback ? { query: { rollback: 'True' } } : {}),
      needs,
      expects: accepted,
    })
  const none = patch.some(p => p.path === '/node_count' && Number(p.value) === 0)
  if (none) return send('1.10')
  // older API versions cannot change a cluster without nodes, and only their error says so
  return send(rollback ? '1.3' : '1.2').catch((error: unknown) => {
    if (error instanceof CoeError && /provided microversion/.test(String(error.details.reason))) return send('1.10')
    throw error
  })
}

export const deleteCluster = async (service: Service, ref: string): Promise<void> => {
  await service.call({ method: 'DELETE', path: one(ref), needs: '1.2' })
}

export const resizeCluster = (service: Service, ref: string, body: RequestBody): Promise<{ uuid: string }> =>
  service.json({
    method: 'POST',
    path: `${one(ref)}/actions/resize`,
    body,
    needs: body.node_count === 0 ? '1.10' : body.nodegroup === undefined ? '1.7' : '1.9',
    expects: accepted,
  })

export const upgradeCluster = (service: Service, ref: string, body: RequestBody): Promise<{ uuid: string }> =>
  service.json({
    method: 'POST',
    path: `${one(ref)}/actions/upgrade`,
    body,
    needs: body.nodegroup === undefined ? '1.8' : '1.9',
    expects: accepted,
  })
