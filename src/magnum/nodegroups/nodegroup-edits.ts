/** Checks a PATCH of a node group. The server refuses other fields; coe refuses them first, and names the command that can change them. */

import { usage } from '../../core/errors.ts'
import { nextStep, optionArgs } from '../../core/next-step.ts'
import type { PatchOperation } from '../../model/change.ts'
import type { NodeGroupChange } from '../../model/nodegroup-request.ts'
import { encodePatch, labelOperations } from '../encode.ts'
import { nodeGroupFields } from './encode.ts'

const changeable = ['min_node_count', 'max_node_count', 'node_labels', 'node_taints']

export function nodeGroupEdits(cluster: string, nodegroup: string, change: NodeGroupChange): PatchOperation[] {
  const edits = [...encodePatch(change, nodeGroupFields), ...labelOperations(change.labels)]
  const wrong = edits.find(e => !changeable.includes(e.path.split('/')[0] as string))
  if (!wrong) return edits
  const size = wrong.path === 'node_count'
  const nodes = String(wrong.value ?? 'N')
  const of = optionArgs('nodegroup', nodegroup)
  const resize = nextStep('change it with', 'cluster resize', cluster, nodes, ...of)
  throw usage(`Magnum cannot change ${wrong.path} of a node group`, {
    ...(size
      ? { next: [resize] }
      : { hint: `it can change ${changeable.join(', ')}; for anything else create another group and delete this one` }),
  })
}
