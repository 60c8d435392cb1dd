/** Clusters that Magnum keeps. */
import { CoeError, conflict } from '../core/errors.ts'
import type { ClusterGoal, Clusters } from '../model/backend.ts'
import type { Cluster } from '../model/cluster.ts'
import type { Operation } from '../model/operation.ts'
import { isComplete } from '../model/status.ts'
import * as api from '../openstack/magnum-api/clusters.ts'
import { jsonPatch } from '../openstack/magnum-api/json-patch.ts'
import { createOnce } from './create-once.ts'
import { refuseWhileFederated } from './federation-guard.ts'
import type { MagnumContext } from './magnum-context.ts'
import { resolving } from './resolve.ts'
import { watchCluster } from './watch-cluster.ts'

export function magnumClusters(context: MagnumContext): Clusters {
  const magnum = () => context.session.magnum()
  const list: Clusters['list'] = async query => api.listClusters(await magnum(), query, query.detail === true)
  const named = async (name: string) => (await list({ detail: false })).filter(c => c.name === name)

  /** A reference of a cluster in an error comes with what there is. */
  const find = <T>(ref: string, request: () => Promise<T>): Promise<T> =>
    resolving({ kind: 'cluster', ref, where: context.where, candidates: () => list({}) }, request)
  const get = (ref: string) => find(ref, async () => api.getCluster(await magnum(), ref))

  /** After an accepted change: what is known at once, or all of it once it is done. */
  async function finish(before: Cluster, goal: ClusterGoal, op: Operation): Promise<Cluster | undefined> {
    if (!op.wait) return before
    return watchCluster(context, { uuid: before.uuid, name: before.name, goal, before }, op)
  }

  return {
    list,
    get,
    async create(fields, { duplicate }, op) {
      const name = fields.name as string | undefined
      const created = await createOnce<Cluster>({
        what: `cluster "${name}"`,
        where: context.where,
        name,
        duplicate,
        existing: () => named(name as string),
        post: async () => api.createCluster(await magnum(), fields),
      })
      if (!op.wait) return created
      const watch = { uuid: created.object.uuid, name: name ?? created.object.uuid, goal: { kind: 'settled' } as const }
      const object = (await watchCluster(context, watch, op)) as Cluster
      return { ...created, object }
    },
    async update(ref, edits, { rollback = false }, op) {
      const before = await get(ref)
      allow(before, 'updated', isComplete(before.status))
      await api.patchCluster(await magnum(), before.uuid, jsonPatch(edits), rollback)
      return finish(before, { kind: 'settled' }, op)
    },
    async resize(ref, fields, op) {
      const before = await get(ref)
      allow(before, 'resized', isComplete(before.status) || /^UPDATE_/.test(before.status ?? ''))
      await api.resizeCluster(await magnum(), before.uuid, fields)
      return finish(before, { kind: 'settled' }, op)
    },
    async upgrade(ref, fields, op) {
      const before = await get(ref)
      allow(before, 'upgraded', isComplete(before.status))
      await api.upgradeCluster(await magnum(), before.uuid, fields)
      return finish(before, { kind: 'settled' }, op)
    },
    async delete(ref, { force = false }, op) {
      const before = await get(ref)
      if (!force) await refuseWhileFederated(context, before, op)
      await find(ref, async () => api.deleteCluster(await magnum(), before.uuid))
      if (op.wait) await finish(before, { kind: 'gone' }, op)
    },
    async waitFor(ref, goal, op) {
      const found = await get(ref).catch((error: unknown) => {
        if (goal.kind === 'gone' && error instanceof CoeError && error.outcome === 'notFound') return undefined
        throw error
      })
      return found && watchCluster(context, { uuid: found.uuid, name: found.name, goal }, op)
    },
  }
}

/** Magnum answers 202 and then does nothing when the state is wrong: so we look first. */
function allow(cluster: Cluster, verb: string, allowed: boolean): void {
  if (allowed) return
  const { name, status } = cluster
  throw conflict(`cluster "${name}" cannot be ${verb} now: it is ${status}`, {
    hint: /_IN_PROGRESS$/.test(status ?? '')
      ? `wait for it: coe cluster wait ${name}`
      : 'only a cluster that is complete can be changed; it can be deleted',
    details: { cluster: cluster.uuid, cluster_status: status },
  })
}
