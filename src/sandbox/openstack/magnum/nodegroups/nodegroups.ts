import { type Answer, json } from '../../../http.ts'
import { readBody } from '../body.ts'
import * as conductor from '../clusters/conductor.ts'
import { allow, type Call, findCluster, uuidPattern } from '../context.ts'
import { type Fields, readFields, type Values } from '../fields.ts'
import { applyPatch, changes, readPatch } from '../json-patch.ts'
import { list, onlyQuery } from '../listing.ts'
import { refuse } from '../refusals.ts'
import type { Cluster, Labels, Nodegroup } from '../store.ts'
import { since } from '../versions.ts'
import { nodegroupRow, nodegroupView } from '../views.ts'
import { makeNodegroup } from './nodegroup-make.ts'

const readOnlyText = { kind: 'text', readOnly: true } as const
const short = { kind: 'text', minLength: 1, maxLength: 255 } as const

const nodegroupFields: Fields = {
  id: { kind: 'int', readOnly: true },
  uuid: { kind: 'text' },
  name: short,
  cluster_id: readOnlyText,
  project_id: readOnlyText,
  docker_volume_size: { kind: 'int', min: 1 },
  labels: { kind: 'labels' },
  links: { kind: 'list', readOnly: true },
  flavor_id: short,
  image_id: short,
  node_addresses: { kind: 'list', readOnly: true },
  node_count: { kind: 'int', min: 0 },
  role: short,
  min_node_count: { kind: 'int', min: 0 },
  max_node_count: { kind: 'int', min: 0 },
  is_default: { kind: 'bool', readOnly: true },
  stack_id: readOnlyText,
  status: readOnlyText,
  status_reason: readOnlyText,
  version: readOnlyText,
  merge_labels: { kind: 'bool', since: 11 },
  labels_overridden: { kind: 'labels', since: 11 },
  labels_added: { kind: 'labels', since: 11 },
  labels_skipped: { kind: 'labels', since: 11 },
  node_labels: { kind: 'labels', since: 23 },
  node_taints: { kind: 'taints', since: 23 },
  created_at: readOnlyText,
  updated_at: readOnlyText,
}

export function findNodegroup(cluster: Cluster, ident: string): Nodegroup {
  const by = uuidPattern.test(ident) ? 'uuid' : 'name'
  const group = cluster.nodegroups.find(one => one[by] === ident)
  if (!group) throw refuse(404, `Nodegroup ${ident} could not be found.`)
  return group
}

export function listNodegroups(call: Call, clusterIdent: string): Answer {
  since(9, call.minor, 'get_all')
  allow(call, 'nodegroup:get_all', 'reader')
  const role = call.request.query.get('role')
  const cluster = findCluster(call, clusterIdent, 'all')
  const shown = list(call, {
    rows: cluster.nodegroups.filter(group => role === null || group.role === role),
    view: nodegroupRow,
    plural: 'nodegroups',
    columns: Object.keys(nodegroupFields),
    marker: group => group.uuid,
    noMarker: marker => refuse(404, `Nodegroup ${marker} could not be found.`),
    path: `clusters/${cluster.uuid}/nodegroups`,
    extraQuery: ['role'],
  })
  return json(200, shown)
}

export function showNodegroup(call: Call, clusterIdent: string, ident: string): Answer {
  since(9, call.minor, 'get_one')
  onlyQuery(call)
  allow(call, 'nodegroup:get', 'reader')
  const cluster = findCluster(call, clusterIdent, 'all')
  return json(200, nodegroupView(call, findNodegroup(cluster, ident), cluster))
}

/** Not yet known to the database when the API answers. */
const unknownYet = [
  'id',
  'docker_volume_size',
  'node_addresses',
  'is_default',
  'stack_id',
  'status',
  'status_reason',
  'version',
  'created_at',
  'updated_at',
]

export async function createNodegroup(call: Call, clusterIdent: string): Promise<Answer> {
  const { state } = call
  since(9, call.minor, 'post')
  const body = readFields('nodegroup', await readBody(call, 'nodegroup'), nodegroupFields, state.release.number)
  allow(call, 'nodegroup:create', 'member')
  const cluster = findCluster(call, clusterIdent)
  if (cluster.api_address === null) throw refuse(409, 'Cluster API address is not available yet')
  if (body.role === 'master') throw refuse(400, 'Creating master nodegroups is currently not supported.')
  const name = body.name as string | null | undefined
  if (name == null) throw refuse(500, "Field `name' cannot be None")
  if (cluster.nodegroups.some(group => group.name === name)) {
    throw refuse(409, `A node group with name ${name} already exists in the cluster ${cluster.name}.`)
  }
  const template = state.store.templates.get(cluster.cluster_template_id)
  if (!template) throw refuse(404, `ClusterTemplate ${cluster.cluster_template_id} could not be found.`)
  const { merge_labels: merge, labels, labels_added, labels_overridden, labels_skipped, uuid, ...rest } = body
  const own = labels as Labels | null | undefined
  const group = makeNodegroup(state, cluster, template, {
    ...(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)) as Partial<Nodegroup>),
    name,
    role: (body.role as string | undefined) ?? 'worker',
    node_count: (body.node_count as number | undefined) ?? 1,
    labels: !own ? { ...cluster.labels } : merge ? { ...cluster.labels, ...own } : own,
  })
  checkBounds(group)
  cluster.nodegroups.push(group)
  conductor.startUpdate(state, cluster, [group])
  const shown = nodegroupView(call, group, cluster)
  for (const attribute of unknownYet) if (!(attribute in body)) delete shown[attribute]
  return json(202, shown)
}

function checkBounds({ name, node_count: count, min_node_count: min, max_node_count: max }: Nodegroup): void {
  if (max !== null && count > max) {
    const why = `node_count (${count}) should be less or equal to max_node_count (${max})`
    throw refuse(409, `max_node_count for ${name} is invalid (${why}).`)
  }
  if (min > count) {
    const why = `min_node_count (${min}) should be less or equal to node_count (${count})`
    throw refuse(409, `min_node_count for ${name} is invalid (${why}).`)
  }
}

const changeable = ['min_node_count', 'max_node_count', 'node_labels', 'node_taints']

export async function patchNodegroup(call: Call, clusterIdent: string, ident: string): Promise<Answer> {
  const { state } = call
  since(9, call.minor, 'patch')
  onlyQuery(call)
  const internal = Object.keys(nodegroupFields).filter(name => !changeable.includes(name))
  const operations = readPatch(await readBody(call, 'patch'), { internal })
  const cluster = findCluster(call, clusterIdent)
  allow(call, 'nodegroup:update', 'member')
  const group = findNodegroup(cluster, ident)
  const before = Object.fromEntries(changeable.map(name => [name, group[name as keyof Nodegroup]])) as Values
  const after = applyPatch(before, operations)
  changes(before, after, nodegroupFields)
  const next: Nodegroup = {
    ...group,
    ...(after as Partial<Nodegroup>),
    min_node_count: (after.min_node_count as number | undefined) ?? 0,
    max_node_count: (after.max_node_count as number | undefined) ?? null,
  }
  checkBounds(next)
  const shown = nodegroupView(call, next, cluster)
  // only the answer has the new bounds until the conductor has saved them
  const { min_node_count, max_node_count, node_labels, node_taints } = next
  state.clock.after(state.timing.cast, () =>
    Object.assign(group, { min_node_count, max_node_count, node_labels, node_taints }),
  )
  conductor.startUpdate(state, cluster, [group])
  return json(202, shown)
}

export function deleteNodegroup(call: Call, clusterIdent: string, ident: string): Answer {
  since(9, call.minor, 'delete')
  onlyQuery(call)
  allow(call, 'nodegroup:delete', 'member')
  const cluster = findCluster(call, clusterIdent)
  const group = findNodegroup(cluster, ident)
  if (group.is_default) throw refuse(400, 'Deleting a default nodegroup is not supported.')
  conductor.removeNodegroup(call.state, cluster, group)
  return { status: 204 }
}
