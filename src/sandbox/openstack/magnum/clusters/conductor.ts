import { randomUUID } from 'node:crypto'
import { authorityOf } from '../authorities.ts'
import type { MagnumState } from '../context.ts'
import type { Cluster, Nodegroup } from '../store.ts'

/**
 * The background work of the conductor, over time. A cluster's name decides its fate, as in the lab: `fail-create`,
 * `fail-update`, `fail-delete`, `stuck`, `conflict-delete`, `reject-create`.
 */

const failure = (action: string): string =>
  `Resource ${action} failed: ResourceInError: resources.kube_masters.resources[0].kube-master: ` +
  'Went to status ERROR due to "Message: No valid host was found., Code: 500"'

const exists = (state: MagnumState, cluster: Cluster) => state.store.clusters.get(cluster.uuid) === cluster

function later(state: MagnumState, cluster: Cluster, ms: number, work: () => void): void {
  state.clock.after(ms, () => {
    if (!exists(state, cluster)) return
    const before = new Map(cluster.nodegroups.map(group => [group, group.status]))
    work()
    cluster.updated_at = state.clock.now()
    for (const group of cluster.nodegroups) {
      if (group.status !== before.get(group)) group.updated_at = cluster.updated_at
    }
  })
}

/** Fails an action of a complete cluster: every group fails, and the cluster summarises them. */
function fail(cluster: Cluster, action: string): void {
  cluster.status = `${action}_FAILED`
  cluster.status_reason = cluster.nodegroups.map(group => `${group.name} failed`).join(', ')
  cluster.faults = {}
  for (const group of cluster.nodegroups) {
    group.status = `${action}_FAILED`
    group.status_reason = failure(action)
    cluster.faults[group.name] = failure(action)
  }
}

function complete(cluster: Cluster, action: string, groups: Nodegroup[]): void {
  cluster.status = `${action}_COMPLETE`
  cluster.status_reason = null
  cluster.faults = {}
  for (const group of groups) {
    group.status = `${action}_COMPLETE`
    group.status_reason = `Stack ${action} completed successfully`
    group.node_addresses = addressesOf(group)
  }
}

const addressesOf = (group: Nodegroup): string[] =>
  Array.from(
    { length: group.node_count },
    (_, n) => `172.24.${group.role === 'master' ? 4 : 5}.${((group.id * 7 + n) % 250) + 1}`,
  )

/** A refusal before the stack exists: nothing was made, and no group has failed. */
export function refuseCreate(state: MagnumState, cluster: Cluster, reason: string): void {
  later(state, cluster, state.timing.cast, () => {
    cluster.status = 'CREATE_FAILED'
    cluster.status_reason = reason
    if (!reason.includes('trust')) cluster.discovery_url = discoveryUrl(cluster)
  })
}

const discoveryUrl = (cluster: Cluster): string =>
  `https://discovery.sandbox.invalid/${cluster.uuid.replaceAll('-', '')}`

export function create(state: MagnumState, cluster: Cluster): void {
  const { timing } = state
  later(state, cluster, timing.cast, () => {
    cluster.discovery_url ??= discoveryUrl(cluster)
    if (cluster.name.includes('reject-create')) {
      cluster.status = 'CREATE_FAILED'
      cluster.status_reason = 'ERROR: Property error: : resources.network: refused by the sandbox'
      return
    }
    cluster.stack_id = randomUUID()
    for (const group of cluster.nodegroups) group.stack_id = cluster.stack_id
  })
  if (cluster.name.includes('reject-create') || cluster.name.includes('stuck')) return
  later(state, cluster, timing.cast + timing.create, () => {
    const template = state.store.templates.get(cluster.cluster_template_id)
    cluster.coe_version = cluster.labels.kube_tag ?? template?.labels?.kube_tag ?? 'v1.23.3'
    cluster.container_version = '1.12.6'
    if (cluster.name.includes('fail-create')) fail(cluster, 'CREATE')
    else void finishCreate(state, cluster)
  })
}

export function finishCreate(state: MagnumState, cluster: Cluster): void | Promise<void> {
  const address = state.apiServers.start(cluster, () => authorityOf(state, cluster))
  const done = (url: string) => {
    cluster.api_address = url
    complete(cluster, 'CREATE', cluster.nodegroups)
  }
  if (typeof address === 'string') return done(address)
  // a Kubernetes that must be started first: the cluster is complete once it runs
  return address.then(done, (error: unknown) => {
    fail(cluster, 'CREATE')
    cluster.status_reason = String(error)
  })
}

const completed = /_COMPLETE$/
const completeOrResizable = /_COMPLETE$|^UPDATE_(FAILED|IN_PROGRESS)$/

/** An accepted update. In a state that does not allow it, nothing happens and there is no error. */
export function update(
  state: MagnumState,
  cluster: Cluster,
  groups: Nodegroup[],
  { resize = false, rollback = false },
): void {
  if (!(resize ? completeOrResizable : completed).test(cluster.status)) return
  if (rollback && cluster.name.includes('fail-update')) startRollback(state, cluster)
  else startUpdate(state, cluster, groups)
}

/**
 * A rollback by Heat, if it was requested. Magnum keeps the reason on the groups alone and the requested node count,
 * and sets UPDATE_COMPLETE on a cluster with more groups than its default ones.
 */
function startRollback(state: MagnumState, cluster: Cluster): void {
  const { cast, update: takes } = state.timing
  const own = cluster.nodegroups.filter(group => group.is_default)
  const become = (status: string, reason: string | null) => {
    for (const group of own) Object.assign(group, { status, status_reason: reason ?? group.status_reason })
    const others = own.length < cluster.nodegroups.length
    cluster.status = others ? status.replace('ROLLBACK', 'UPDATE') : status
    cluster.status_reason = null
  }
  later(state, cluster, cast, () => become('UPDATE_IN_PROGRESS', null))
  later(state, cluster, cast + takes, () => become('ROLLBACK_IN_PROGRESS', `Stack ${failure('UPDATE')}`))
  later(state, cluster, cast + 2 * takes, () =>
    become('ROLLBACK_COMPLETE', `Stack ROLLBACK completed successfully (${failure('UPDATE')})`),
  )
}

export function startUpdate(
  state: MagnumState,
  cluster: Cluster,
  groups: Nodegroup[],
  ends: () => void = () => {},
): void {
  const { timing } = state
  const action = (group: Nodegroup) => (group.status === 'CREATE_IN_PROGRESS' ? 'CREATE' : 'UPDATE')
  later(state, cluster, timing.cast, () => {
    cluster.updatesUnderWay++
    cluster.status = 'UPDATE_IN_PROGRESS'
    cluster.status_reason = null
    for (const group of groups) {
      group.stack_id ??= randomUUID() // an added group has its own stack; the default ones share the cluster's
      if (action(group) === 'UPDATE' && completed.test(group.status)) group.status = 'UPDATE_IN_PROGRESS'
    }
  })
  later(state, cluster, timing.cast + timing.update, () => {
    cluster.updatesUnderWay--
    if (cluster.status.startsWith('DELETE')) return
    if (cluster.name.includes('fail-update')) return fail(cluster, 'UPDATE')
    for (const group of groups) complete(cluster, action(group), [group])
    complete(cluster, 'UPDATE', [])
    if (cluster.updatesUnderWay) cluster.status = 'UPDATE_IN_PROGRESS'
    ends()
  })
}

/** A call that the driver refuses at once marks the cluster, as with Heat's driver. */
export function failUpdate(cluster: Cluster, group: string, reason: string, now: number): void {
  cluster.status = 'UPDATE_FAILED'
  cluster.status_reason = reason
  cluster.faults = { [group]: reason }
  cluster.updated_at = now
}

export function remove(state: MagnumState, cluster: Cluster): void {
  const { timing } = state
  if (cluster.status === 'DELETE_IN_PROGRESS') return
  for (const group of cluster.nodegroups) group.status = 'DELETE_IN_PROGRESS'
  if (cluster.name.includes('conflict-delete')) return // the stack cannot be deleted now: the cluster stays unchanged
  later(state, cluster, timing.cast, () => {
    cluster.status = 'DELETE_IN_PROGRESS'
    cluster.status_reason = null
  })
  later(state, cluster, timing.cast + timing.delete, () => {
    if (cluster.name.includes('fail-delete')) fail(cluster, 'DELETE')
    else {
      state.store.clusters.delete(cluster.uuid)
      state.apiServers.stop?.(cluster)
    }
  })
}

export function removeNodegroup(state: MagnumState, cluster: Cluster, group: Nodegroup): void {
  group.status = 'DELETE_IN_PROGRESS'
  startUpdate(state, cluster, [], () => {
    cluster.nodegroups = cluster.nodegroups.filter(other => other !== group)
  })
}
