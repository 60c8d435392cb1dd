/** Node groups of clusters in Magnum. */

import { CoeError, conflict, failed, fallbackOn } from '../../core/errors.ts'
import { nextStep } from '../../core/next-step.ts'
import { poll } from '../../core/poll.ts'
import type { NodeGroups } from '../../model/backend.ts'
import type { Call } from '../../model/call.ts'
import type { PatchOperation } from '../../model/change.ts'
import type { NodeGroup } from '../../model/cluster.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { hasFailed, isMoving } from '../../model/status.ts'
import { getCluster, listClusters } from '../../openstack/magnum-api/clusters.ts'
import { jsonPatch } from '../../openstack/magnum-api/json-patch.ts'
import * as api from '../../openstack/magnum-api/nodegroups.ts'
import type { Service } from '../../openstack/service.ts'
import { createOnce } from '../create-once.ts'
import { encodeBody } from '../encode.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { resolving } from '../resolve.ts'
import { nodeGroupFields } from './encode.ts'
import { hasBounds, planBounds, resizeFirst } from './nodegroup-bounds.ts'
import { nodeGroupEdits } from './nodegroup-edits.ts'
import { type GroupWatch, watchNodeGroup } from './watch-nodegroup.ts'

export function magnumNodeGroups(context: MagnumContext): NodeGroups {
  const magnum = (call: Call) => context.session.magnum(call.signal)

  /** A 404 may mean the cluster or the group; its text tells which. */
  async function within<T>(
    call: Call,
    cluster: string,
    ref: string,
    request: (service: Service) => Promise<T>,
  ): Promise<T> {
    const service = await magnum(call)
    try {
      return await request(service)
    } catch (error) {
      const reason = error instanceof CoeError ? String(error.details.reason ?? '') : ''
      const lookup = /^(Cluster |Multiple clusters)/.test(reason)
        ? { kind: 'cluster', ref: cluster, where: context.where, candidates: () => listClusters(service, {}, false) }
        : {
            kind: 'node group',
            ref,
            where: `cluster "${cluster}"`,
            candidates: () => api.listNodeGroups(service, cluster, {}),
          }
      return resolving(lookup, () => Promise.reject(error))
    }
  }

  const get = (call: Call, cluster: string, ref: string) =>
    within(call, cluster, ref, s => api.getNodeGroup(s, cluster, ref))

  /** With a wait, reads the cluster first, so that old failures are not taken for new ones. */
  async function sendAndWatch<T>(
    cluster: string,
    op: ScopedOperation,
    send: () => Promise<T>,
    watch: (sent: T) => Omit<GroupWatch, 'cluster'>,
  ) {
    const before = op.wait ? await within(op, cluster, '', s => getCluster(s, cluster)) : undefined
    const sent = await send()
    return { sent, after: before && (await watchNodeGroup(context, { ...watch(sent), cluster: before }, op)) }
  }

  /** Magnum saves bounds a moment after it accepts them; the resize that follows needs them. */
  async function areSaved(
    call: Call,
    cluster: string,
    uuid: string,
    edits: readonly PatchOperation[],
  ): Promise<boolean> {
    const check = async () => (hasBounds(await get(call, cluster, uuid), edits) ? true : undefined)
    const { clock } = context
    const limits = { clock, signal: call.signal, timeoutMs: 15_000, what: 'the new bounds to be saved' }
    return poll(check, limits).catch(fallbackOn('timeout', false))
  }

  return {
    list: (call, cluster, { role, ...page }) =>
      within(call, cluster, '', s => api.listNodeGroups(s, cluster, page, role)),
    get,
    async create(call, cluster, request, { duplicate }, op) {
      const { name } = request
      const create = async () => {
        const made = await createOnce<NodeGroup>({
          what: `node group "${name}" of cluster "${cluster}"`,
          where: context.where,
          duplicate,
          hint: '--if-not-exists accepts it as it is',
          // one by one: the least and most nodes in a list are made up
          existing: () =>
            within(call, cluster, name, async s => {
              const same = (await api.listNodeGroups(s, cluster, {})).filter(g => g.name === name)
              return Promise.all(same.map(g => api.getNodeGroup(s, cluster, g.uuid)))
            }),
          post: () =>
            within(call, cluster, name, s => api.createNodeGroup(s, cluster, encodeBody(request, nodeGroupFields))),
        })
        if (made.created) op.accepted?.(made.object.uuid)
        else if (!op.wait) refuseUnusable(made.object, cluster)
        return made
      }
      const { sent, after } = await sendAndWatch(cluster, { ...call, ...op }, create, made => ({
        uuid: made.object.uuid,
        name,
        goal: 'complete',
      }))
      return after ? { ...sent, object: after } : sent
    },
    async update(call, cluster, ref, change, op) {
      const edits = nodeGroupEdits(cluster, ref, change)
      const before = await get(call, cluster, ref)
      refuseUnready(before, cluster)
      const plan = planBounds(before, edits)
      const { uuid, name } = before
      const send = async () => {
        if (plan.now.length === 0) return before
        const sent = await within(call, cluster, ref, s => api.patchNodeGroup(s, cluster, uuid, jsonPatch(plan.now)))
        op.accepted?.(uuid)
        return sent
      }
      if (plan.later) {
        await send()
        throw resizeFirst(cluster, before, plan, await areSaved(call, cluster, uuid, plan.now))
      }
      const { sent, after } = await sendAndWatch(cluster, { ...call, ...op }, send, () => ({
        uuid,
        name,
        goal: 'complete',
        before,
      }))
      if (after && !hasBounds(after, plan.now)) {
        throw failed(`node group "${name}" is ${after.status}, but its bounds are not the requested ones`, {
          next: [nextStep('check it, and try again', 'nodegroup show', cluster, name)],
        })
      }
      return after ?? sent
    },
    async delete(call, cluster, ref, op) {
      const before = op.wait ? await get(call, cluster, ref) : undefined
      const send = async () => {
        await within(call, cluster, ref, s => api.deleteNodeGroup(s, cluster, before?.uuid ?? ref))
        op.accepted?.(before?.uuid ?? ref)
      }
      await sendAndWatch(cluster, { ...call, ...op }, send, () => ({
        uuid: before?.uuid ?? ref,
        name: before?.name ?? ref,
        goal: 'gone',
        ...(before ? { before } : {}),
      }))
    },
  }
}

/** Refuses a group that `--if-not-exists` finds, if it failed or is being deleted. With --wait, the wait checks it anyway. */
function refuseUnusable({ uuid, name, status }: Partial<NodeGroup>, cluster: string): void {
  if (!hasFailed(status) && !/^DELETE_/.test(status ?? '')) return
  throw conflict(`node group "${name}" exists already (${uuid}), but it is ${status}`, {
    next: [
      hasFailed(status)
        ? nextStep('delete it first', 'nodegroup delete', cluster, name ?? uuid ?? '', { option: 'wait' })
        : nextStep('wait until it is gone', 'cluster wait', cluster),
    ],
    details: { existing: [uuid], nodegroup_status: status },
  })
}

/** In a wrong state, Magnum answers 202 and then does nothing, so coe checks the state first. */
function refuseUnready({ uuid, name, status }: NodeGroup, cluster: string): void {
  const waits = isMoving(status) && status !== 'UPDATE_IN_PROGRESS'
  const broken = hasFailed(status) && status !== 'UPDATE_FAILED'
  if (!waits && !broken) return
  throw conflict(`node group "${name}" cannot be changed now: it is ${status}`, {
    ...(waits
      ? { next: [nextStep('wait', 'cluster wait', cluster)] }
      : { hint: 'you can delete it and create it again' }),
    details: { nodegroup: uuid, nodegroup_status: status },
  })
}
