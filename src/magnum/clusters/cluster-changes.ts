/** Changes of existing clusters: check the state, send one request, and with --wait wait for the result. */

import { CoeError, conflict, notFound } from '../../core/errors.ts'
import { type Advice, nextStep } from '../../core/next-step.ts'
import type { ClusterOutcome, Clusters } from '../../model/backend.ts'
import type { Call } from '../../model/call.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { isComplete } from '../../model/status.ts'
import * as api from '../../openstack/magnum-api/clusters.ts'
import { jsonPatch } from '../../openstack/magnum-api/json-patch.ts'
import { listNodeGroups } from '../../openstack/magnum-api/nodegroups.ts'
import { listTemplates } from '../../openstack/magnum-api/templates.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { resolving } from '../resolve.ts'
import { clusterEdits, countWanted, healthMatches } from './cluster-edits.ts'
import { encodeResize, encodeUpgrade } from './encode.ts'
import { watchCluster } from './watch-cluster.ts'

export function clusterChanges(
  context: MagnumContext,
  get: Clusters['get'],
): Pick<Clusters, 'update' | 'resize' | 'upgrade'> {
  const magnum = (call: Call) => context.session.magnum(call.signal)

  async function finish(
    before: Cluster,
    isAsRequested: (now: Cluster) => Promise<boolean>,
    op: ScopedOperation,
    rollback = false,
  ): Promise<ClusterOutcome> {
    op.accepted?.(before.uuid)
    if (!op.wait) return { cluster: before, changed: true }
    const watch = {
      uuid: before.uuid,
      name: before.name,
      goal: { kind: 'complete' } as const,
      before,
      isAsRequested,
      rollback,
    }
    return { cluster: (await watchCluster(context, watch, op)) ?? before, changed: true }
  }

  /** True if the group has that many nodes. */
  const hasSize = async (call: Call, cluster: Cluster, group: string | undefined, wanted: number): Promise<boolean> =>
    (await groupSize(context, call, cluster, group)) === wanted

  return {
    async update(call, ref, change, op) {
      const { rollback = false } = change
      const edits = clusterEdits(ref, change)
      const wanted = countWanted(edits)
      const before = await get(call, ref)
      requireState(before, 'updated', isComplete(before.status))
      if (healthMatches(before, edits)) {
        const sameCount =
          wanted === undefined || (before.node_count === wanted && (await hasSize(call, before, undefined, wanted)))
        if (sameCount) return { cluster: before, changed: false }
      }
      await api.patchCluster(await magnum(call), before.uuid, jsonPatch(edits), rollback)
      const isAsRequested = async (now: Cluster) =>
        healthMatches(now, edits) && (wanted === undefined || (await hasSize(call, now, undefined, wanted)))
      return finish(before, isAsRequested, { ...call, ...op }, rollback)
    },

    async resize(call, ref, size, op) {
      const { nodeCount, nodesToRemove, nodegroup } = size
      const before = await get(call, ref)
      requireState(before, 'resized', isComplete(before.status) || /^UPDATE_/.test(before.status ?? ''))
      if (nodesToRemove.length === 0 && isComplete(before.status)) {
        const maybeSame = nodegroup !== undefined || before.node_count === nodeCount
        if (maybeSame && (await hasSize(call, before, nodegroup, nodeCount))) return { cluster: before, changed: false }
      }
      const send = async () => api.resizeCluster(await magnum(call), before.uuid, encodeResize(size))
      await (nodegroup === undefined ? send() : resolvingGroup(context, call, before, nodegroup, send))
      return finish(before, now => hasSize(call, now, nodegroup, nodeCount), { ...call, ...op })
    },

    async upgrade(call, ref, target, op) {
      const before = await get(call, ref)
      requireState(before, 'upgraded', isComplete(before.status))
      await resolvingTemplate(context, call, target.template, async () =>
        api.upgradeCluster(await magnum(call), before.uuid, encodeUpgrade(target)),
      )
      // the server checked the request before it answered: the wait observes that the upgrade ran, not which version it led to
      return finish(before, async () => true, { ...call, ...op })
    },
  }
}

/** The cluster existed a moment ago, so a 404 means that its group is missing. */
const resolvingGroup = <T>(
  context: MagnumContext,
  call: Call,
  { uuid, name }: Cluster,
  ref: string,
  request: () => Promise<T>,
) =>
  resolving(
    {
      kind: 'node group',
      ref,
      where: `cluster "${name}"`,
      candidates: async () => listNodeGroups(await context.session.magnum(call.signal), uuid, {}),
    },
    request,
  )

/** The error may be about the template in the request rather than the cluster: 404, or 400 in older API versions. */
export function resolvingTemplate<T>(
  context: MagnumContext,
  call: Call,
  template: string,
  request: () => Promise<T>,
): Promise<T> {
  return request().catch((error: unknown) => {
    if (!(error instanceof CoeError)) throw error
    const reason = String(error.details.reason ?? '')
    const missing = /^Cluster ?Template .* could not be found/i.test(reason)
    if (!missing && !/^Multiple Cluster ?Templates/i.test(reason)) throw error
    const refusal = missing ? notFound(error.message, { details: error.details }) : error
    const lookup = {
      kind: 'cluster template',
      ref: template,
      where: context.where,
      candidates: async () => listTemplates(await context.session.magnum(call.signal), {}),
    }
    return resolving(lookup, () => Promise.reject(refusal))
  })
}

/** In a wrong state, Magnum answers 202 and then does nothing, so coe checks the state first. */
function requireState(cluster: Cluster, verb: string, allowed: boolean): void {
  if (allowed) return
  const { name, status } = cluster
  throw conflict(`cluster "${name}" cannot be ${verb} now: it is ${status}`, {
    ...adviceFor(cluster),
    details: { cluster: cluster.uuid, cluster_status: status },
  })
}

function adviceFor({ name, status }: Cluster): Advice {
  if (/_IN_PROGRESS$/.test(status ?? '')) return { next: [nextStep('wait', 'cluster wait', name)] }
  if (status !== 'UPDATE_FAILED') return { hint: 'only a cluster that is complete can be changed; it can be deleted' }
  const resize = nextStep('a resize is allowed, and may repair it', 'cluster resize', name, 'NODES', { option: 'wait' })
  return { next: [resize] }
}

/** Nodes of the named group, or of the default workers (a cluster's own count is the sum of all groups). Undefined: no such group. */
async function groupSize(
  context: MagnumContext,
  call: Call,
  cluster: Cluster,
  group: string | undefined,
): Promise<number | undefined> {
  try {
    const groups = await listNodeGroups(await context.session.magnum(call.signal), cluster.uuid, {})
    const same = groups.filter(g =>
      group === undefined ? g.is_default && g.role !== 'master' : g.uuid === group || g.name === group,
    )
    return same[0]?.node_count ?? undefined
  } catch (error) {
    // on servers without node groups, the cluster has one count
    if (error instanceof CoeError && error.details.status === 406) return cluster.node_count ?? undefined
    throw error
  }
}
