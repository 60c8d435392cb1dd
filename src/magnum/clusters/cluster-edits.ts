/** Checks a PATCH of a cluster. The server refuses most fields; coe refuses them first, and names the command that can change them. */

import { usage } from '../../core/errors.ts'
import { stringifyExact } from '../../core/exact-json.ts'
import { type Advice, nextStep, optionArgs } from '../../core/next-step.ts'
import type { PatchOperation } from '../../model/change.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { ClusterChange } from '../../model/cluster-request.ts'
import { encodeClusterChange } from './encode.ts'

/** Advice by the first part of the path; `c` is the cluster. */
const others: Record<string, (c: string) => Advice> = {
  labels: c => upgrade(c, 'labels come from the template'),
  cluster_template_id: c => upgrade(c),
  name: () => ({ hint: 'a cluster keeps its name; create another one with the name you want' }),
  master_count: () => ({ hint: 'the control plane keeps its size; create another cluster with --master-count' }),
  node_addresses: c => ({
    next: [nextStep('nodes are removed by', 'cluster resize', c, 'COUNT', ...optionArgs('nodes-to-remove', 'SERVER'))],
  }),
  keypair: () => ({ hint: 'nodes keep the key that they were created with; create another cluster with --keypair' }),
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

const changeable = ['node_count', 'health_status', 'health_status_reason']

/** Refuses fields that cannot be changed, and turns an `add` of the count, which always exists, into a `replace`. */
export function clusterEdits(ref: string, change: ClusterChange): PatchOperation[] {
  return encodeClusterChange(change).map(edit => {
    const field = edit.path.split('/')[0] as string
    if (!changeable.includes(edit.path)) {
      const other = others[field]?.(ref)
      throw usage(`Magnum cannot change ${field} of a cluster: only its node_count (and its health) can be changed`, {
        ...(other ?? { next: [nextStep('see its fields', 'cluster show', ref)] }),
      })
    }
    if (edit.path !== 'node_count') return edit
    if (edit.op === 'remove') throw usage('node_count cannot be removed', { hint: 'replace node_count=N sets it' })
    if (!Number.isInteger(edit.value) || Number(edit.value) < 0) {
      throw usage(`node_count: "${edit.value}" is not a number of nodes`)
    }
    return { ...edit, op: 'replace' }
  })
}

/** The requested number of nodes, if the edits contain one. */
export const countWanted = (edits: readonly PatchOperation[]): number | undefined =>
  edits.find(e => e.path === 'node_count')?.value as number | undefined

/** True if the health already matches the edits. */
export function healthMatches(cluster: Cluster, edits: readonly PatchOperation[]): boolean {
  return edits.every(({ op, path, value }) => {
    if (path === 'node_count') return true
    const now = cluster[path]
    if (op === 'remove') return now === null || now === undefined
    if (path === 'health_status') return now === value
    return stringifyExact(now ?? null) === value
  })
}
