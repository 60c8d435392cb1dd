/** /v1/clusters/<cluster>/nodegroups */
import type { NodeGroup } from '../../model/cluster.ts'
import type { Page } from '../../model/operation.ts'
import type { Service } from '../service.ts'
import type { JsonPatch } from './json-patch.ts'
import { getOne, type RequestBody, segment } from './one.ts'
import { listAll } from './paging.ts'
import { nodegroupShape } from './shapes.ts'

const all = (cluster: string): string => `/clusters/${segment(cluster)}/nodegroups`
const one = (cluster: string, ref: string): string => `${all(cluster)}/${segment(ref)}`

const needs = '1.9'
/** Only newer servers have labels and taints of nodes. */
const needsFor = (fields: readonly string[]): string =>
  fields.some(f => f === 'node_labels' || f === 'node_taints') ? '1.14' : needs

export const listNodeGroups = (service: Service, cluster: string, page: Page, role?: string): Promise<NodeGroup[]> =>
  listAll(service, { path: all(cluster), plural: 'nodegroups', needs, query: { role }, item: nodegroupShape }, page)

export const getNodeGroup = (service: Service, cluster: string, ref: string): Promise<NodeGroup> =>
  getOne(service, 'node group', { method: 'GET', path: one(cluster, ref), needs, expects: nodegroupShape })

export const createNodeGroup = (service: Service, cluster: string, body: RequestBody): Promise<NodeGroup> =>
  service.json({
    method: 'POST',
    path: all(cluster),
    body,
    needs: needsFor(Object.keys(body)),
    expects: nodegroupShape,
  })

export const patchNodeGroup = (service: Service, cluster: string, ref: string, patch: JsonPatch): Promise<NodeGroup> =>
  service.json({
    method: 'PATCH',
    path: one(cluster, ref),
    body: patch,
    needs: needsFor(patch.map(p => p.path.split('/')[1] as string)),
    expects: nodegroupShape,
  })

export const deleteNodeGroup = async (service: Service, cluster: string, ref: string): Promise<void> => {
  await service.call({ method: 'DELETE', path: one(cluster, ref), needs })
}
