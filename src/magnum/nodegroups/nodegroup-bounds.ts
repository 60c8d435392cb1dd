/**
 * Changes the least and most nodes of a group. After each request the server requires least ≤ nodes ≤ most with the present number
 * of nodes. A bound that conflicts has to wait for a resize; the other is set first, since the resize needs it.
 */

import { conflict, usage } from '../../core/errors.ts'
import { nextStep, optionArgs } from '../../core/next-step.ts'
import type { PatchOperation } from '../../model/change.ts'
import type { NodeGroup } from '../../model/cluster.ts'

export interface BoundsPlan {
  /** What can be sent now. */
  now: PatchOperation[]
  /** What has to wait until the group has this many nodes. */
  later?: { edit: PatchOperation; nodes: number }
}

export function planBounds(group: NodeGroup, edits: readonly PatchOperation[]): BoundsPlan {
  const least = boundAfter(edits, 'min_node_count', group.min_node_count ?? 0) ?? 0
  const most = boundAfter(edits, 'max_node_count', group.max_node_count ?? undefined)
  if (most !== undefined && least > most) {
    throw usage(`node group "${group.name}" cannot have at least ${least} and at most ${most} nodes`)
  }
  const count = group.node_count
  if (typeof count !== 'number') return { now: [...edits] }
  if (least > count) return withhold(edits, 'min_node_count', least)
  if (most !== undefined && most < count) return withhold(edits, 'max_node_count', most)
  return { now: [...edits] }
}

function withhold(edits: readonly PatchOperation[], path: string, nodes: number): BoundsPlan {
  const edit = edits.find(e => e.path === path)
  if (!edit) return { now: [...edits] }
  return { now: edits.filter(e => e !== edit), later: { edit, nodes } }
}

function boundAfter(edits: readonly PatchOperation[], path: string, otherwise: number | undefined): number | undefined {
  const edit = edits.find(e => e.path === path)
  if (!edit) return otherwise
  return edit.op === 'remove' ? undefined : Number(edit.value)
}

/** True if the group has the bounds that the edits ask for. */
export function hasBounds(group: NodeGroup, edits: readonly PatchOperation[]): boolean {
  const least = group.min_node_count ?? 0
  const most = group.max_node_count ?? undefined
  return (
    (boundAfter(edits, 'min_node_count', least) ?? 0) === least && boundAfter(edits, 'max_node_count', most) === most
  )
}

export function resizeFirst(cluster: string, group: NodeGroup, plan: BoundsPlan, saved: boolean): Error {
  const { edit, nodes } = plan.later as NonNullable<BoundsPlan['later']>
  const state = (e: PatchOperation) => (e.op === 'remove' ? `${e.path} was removed` : `${e.path} is now ${e.value}`)
  const done = plan.now.map(e => (saved ? state(e) : `the change of ${e.path} was accepted, but is not visible yet`))
  const why = `node group "${group.name}" has ${group.node_count} nodes, so its ${edit.path} cannot be ${nodes} yet`
  return conflict([why, ...done].join('; '), {
    next: [
      nextStep(
        'resize it first, then run this again',
        'cluster resize',
        cluster,
        String(nodes),
        ...optionArgs('nodegroup', group.name),
      ),
    ],
    details: { nodegroup: group.uuid, node_count: group.node_count, changed: plan.now.map(e => e.path) },
  })
}
