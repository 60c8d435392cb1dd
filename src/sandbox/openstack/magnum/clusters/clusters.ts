import { type Answer, json } from '../../../http.ts'
import { readBody } from '../body.ts'
import { checkKeypair, checkResources } from '../cloud-checks.ts'
import { allow, type Call, findCluster, type MagnumState } from '../context.ts'
import { readFields, type Values } from '../fields.ts'
import { applyPatch, changes, readPatch } from '../json-patch.ts'
import { list, onlyQuery } from '../listing.ts'
import { refuse } from '../refusals.ts'
import type { Cluster } from '../store.ts'
import { findTemplate } from '../templates/templates.ts'
import { clusterRow, clusterView } from '../views.ts'
import { clusterColumns, clusterFields } from './cluster-fields.ts'
import { makeCluster } from './cluster-make.ts'
import * as conductor from './conductor.ts'

export function listClusters(call: Call, detail: boolean): Answer {
  allow(call, `cluster:${detail ? 'detail' : 'get_all'}`, 'reader')
  const all = [...call.state.store.clusters.values()]
  const rows = call.isAdmin ? all : all.filter(row => row.project_id === call.projectId)
  const shown = list(call, {
    rows,
    view: row => (detail ? clusterView(call, row, false) : clusterRow(call, row)),
    plural: 'clusters',
    columns: clusterColumns,
    marker: row => row.uuid,
    noMarker: marker => refuse(404, `Cluster ${marker} could not be found.`),
    path: detail ? 'clusters/detail' : 'clusters',
  })
  return json(200, shown)
}

export function showCluster(call: Call, ident: string): Answer {
  onlyQuery(call)
  const row = findCluster(call, ident, 'all')
  allow(call, 'cluster:get', 'reader')
  return json(200, clusterView(call, row, true))
}

export const zeroNodes = () =>
  refuse(400, 'Resizing a nodegroup to zero is not supported in the provided microversion.')

export async function createCluster(call: Call): Promise<Answer> {
  const { state, minor } = call
  const requested = readFields('cluster', await readBody(call, 'cluster'), clusterFields, state.release.number)
  if (requested.node_count === 0 && minor < 10) throw zeroNodes()
  const template = findTemplate(call, String(requested.cluster_template_id), minor < 10 ? 400 : 404)
  allow(call, 'cluster:create', 'member')
  if (template.hidden && !call.isAdmin) throw refuse(403, 'Not authorized.')
  checkQuota(call)
  checkKeypair(state.cloud, requested.keypair ?? template.keypair_id)
  checkResources(state.cloud, requested)
  const balanced = requested.master_lb_enabled ?? template.master_lb_enabled
  if (Number(requested.master_count ?? 1) > 1 && !balanced) {
    throw refuse(400, 'master_count must be 1 when master_lb_enabled is False')
  }
  const cluster = makeCluster(state, template, requested, { projectId: call.projectId ?? '', userId: call.userId })
  const { clusterStore } = state.timing
  const store = () => {
    state.store.clusters.set(cluster.uuid, cluster)
    start(call, state, cluster)
  }
  if (clusterStore) state.clock.after(clusterStore, store)
  else store()
  return json(202, { uuid: cluster.uuid })
}

/** The conductor's part of a creation, after the API has accepted it. */
function start(call: Call, state: MagnumState, cluster: Cluster): void {
  const reason = lateRefusal(call, state, cluster)
  if (reason === undefined) conductor.create(state, cluster)
  else conductor.refuseCreate(state, cluster, reason)
}

function lateRefusal(call: Call, { cloud }: MagnumState, cluster: Cluster): string | undefined {
  // a delegation cannot be delegated further, and a cluster needs a trust
  if (call.token.applicationCredential) return `Failed to create trustee or trust for Cluster: ${cluster.uuid}`
  const { fixed_network: network, fixed_subnet: subnet } = cluster
  if (network !== null && !cloud.networks.includes(network)) return `Unable to find fixed network ${network}.`
  if (subnet !== null && !cloud.subnets.includes(subnet)) return `Unable to find fixed subnet ${subnet}.`
  return undefined
}

function checkQuota(call: Call): void {
  const { store, defaultQuota } = call.state
  const quota = store.quotas.find(row => row.project_id === call.projectId)
  const limit = quota?.hard_limit ?? defaultQuota
  let used = 0
  for (const row of store.clusters.values()) if (row.project_id === call.projectId) used++
  if (used < limit) return
  const advice = 'You may delete a cluster to make room for a new one.'
  throw refuse(403, `Resource limit exceeded: You have reached the maximum clusters per project, ${limit}. ${advice}`)
}

const changeable = ['node_count', 'health_status', 'health_status_reason']

export async function patchCluster(call: Call, ident: string): Promise<Answer> {
  const { state, minor } = call
  onlyQuery(call, ...(minor >= 3 ? ['rollback'] : []))
  const operations = readPatch(await readBody(call, 'patch'), { unremovable: ['cluster_template_id'] })
  const row = findCluster(call, ident, 'all')
  allow(call, 'cluster:update', 'member')
  const before = patchable(call, row)
  const after = applyPatch(before, operations)
  const changed = changes(before, after, clusterFields)
  const frozen = changed.filter(name => !changeable.includes(name))
  if (frozen.length) throw refuse(400, `cannot change cluster property(ies) ${frozen.join(', ')}.`)
  if (after.node_count === 0 && minor < 10) throw zeroNodes()
  const worker = row.nodegroups.find(group => group.is_default && group.role === 'worker')
  if (changed.includes('health_status')) row.health_status = (after.health_status as string | undefined) ?? null
  if (changed.includes('health_status_reason')) {
    row.health_status_reason = (after.health_status_reason as Record<string, unknown> | undefined) ?? {}
  }
  if (worker && changed.includes('node_count')) {
    // a removed count means the default; true is a number in Python
    const count = Number(after.node_count ?? 1)
    if (/_COMPLETE$/.test(row.status)) worker.node_count = count
    conductor.update(state, row, [worker], { rollback: /^true$/i.test(call.request.query.get('rollback') ?? '') })
  }
  return json(202, { uuid: row.uuid })
}

function patchable(call: Call, row: Cluster): Values {
  const { links, created_at, updated_at, uuid, faults, ...rest } = clusterView(call, row, true) as Values
  return structuredClone(rest)
}

export function deleteCluster(call: Call, ident: string): Answer {
  onlyQuery(call)
  const row = findCluster(call, ident, 'all')
  allow(call, 'cluster:delete', 'member')
  conductor.remove(call.state, row)
  return { status: 204 }
}
