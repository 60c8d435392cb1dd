/** What a PATCH of a cluster may say. The server refuses all else; we do so first, and say which command can. */

import { usage } from '../../core/errors.ts'
import { stringifyExact } from '../../core/exact-json.ts'
import { type Advice, nextStep, optionArgs } from '../../core/next-step.ts'
import type { PatchOperation } from '../../model/change.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { ClusterChange } from '../../model/cluster-request.ts'
import { encodeClusterChange } from './encode.ts'

/** By the first word of the path; `c` is the cluster. */
const others: Record<string, (c: string) => Advice> = {
  labels: c => upgrade(c, 'labels come from the template'),
  cluster_template_id: c => upgrade(c),
  name: () => ({ hint: 'a cluster keeps its name; make another one with the name you want' }),
  master_count: () => ({ hint: 'the control plane keeps its size; make another cluster with --master-count' }),
  node_addresses: c => ({
    next: [nextStep('nodes are removed by', 'cluster resize', c, 'COUNT', ...optionArgs('nodes-to-remove', 'SERVER'))],
  }),
  keypair: () => ({ hint: 'nodes keep the key that they were made with; make another cluster with --keypair' }),
  flavor_id: c => group(c, 'add nodes of another flavor', 'flavor', 'FLAVOR'),
  docker_volume_size: c => group(c, 'add nodes with other volumes', 'docker-volume-size', 'GB'),
  coe_version: c => upgrade(c),
}

const upgrade = (cluster: string, why = ''): Advice => ({
  next: [nextStep(why, 'cluster upgrade', cluster, 'TEMPLATE')],
})

const group = (cluster: string, why: string, option: string, value: string): Advice => ({
  next: [nextStep(why, 'nodegroup create', cluster, 'NAME', ...optionArgs(option, value))],
})

const possible = ['node_count', 'health_status', 'health_status_reason']

/** Refuses what can never be, and turns an `add` of the count (which is always there) into what is meant by it. */
export function clusterEdits(ref: string, change: ClusterChange): PatchOperation[] {
  return encodeClusterChange(change).map(edit => {
    const field = edit.path.split('/')[0] as string
    if (!possible.includes(edit.path)) {
      const other = others[field]?.(ref)
      throw usage(`Magnum cannot change ${field} of a cluster: only its node_count (and its health) can be changed`, {
        ...(other ?? { next: [nextStep('see what there is with', 'cluster show', ref)] }),
      })
    }
    if (edit.path !== 'node_count') return edit
    if (edit.op === 'remove')
      throw usage('the count of nodes cannot be removed', { hint: 'replace node_count=N sets it' })
    if (!Number.isInteger(edit.value) || Number(edit.value) < 0) {
      throw usage(`node_count: "${edit.value}" is not a count of nodes`)
    }
    return { ...edit, op: 'replace' }
  })
}

/** The count that the edits ask for, if they ask for one. */
export const countWanted = (edits: readonly PatchOperation[]): number | undefined =>
  edits.find(e => e.path === 'node_count')?.value as number | undefined

/** Is the health as the edits want it already? */
export function healthMatches(cluster: Cluster, edits: readonly PatchOperation[]): boolean {
  return edits.every(({ op, path, value }) => {
    if (path === 'node_count') return true
    const now = cluster[path]
    if (op === 'remove') return now === null || now === undefined
    if (path === 'health_status') return now === value
    return stringifyExact(now ?? null) === value
  })
}
