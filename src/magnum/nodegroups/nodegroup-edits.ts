/** What a PATCH of a node group may say. The server refuses all else; we do so first, and say which command can. */

import { usage } from '../../core/errors.ts'
import { nextStep, optionArgs } from '../../core/next-step.ts'
import type { PatchOperation } from '../../model/change.ts'
import type { NodeGroupChange } from '../../model/nodegroup-request.ts'
import { encodePatch, labelOperations } from '../encode.ts'
import { nodeGroupFields } from './encode.ts'

const possible = ['min_node_count', 'max_node_count', 'node_labels', 'node_taints']

export function nodeGroupEdits(cluster: string, nodegroup: string, change: NodeGroupChange): PatchOperation[] {
  const edits = [...encodePatch(change, nodeGroupFields), ...labelOperations(change.labels)]
  const wrong = edits.find(e => !possible.includes(e.path.split('/')[0] as string))
  if (!wrong) return edits
  const size = wrong.path === 'node_count'
  const nodes = String(wrong.value ?? 'N')
  const of = optionArgs('nodegroup', nodegroup)
  const resize = nextStep('the command for that', 'cluster resize', cluster, nodes, ...of)
  throw usage(`Magnum cannot change ${wrong.path} of a node group`, {
    ...(size
      ? { next: [resize] }
      : { hint: `it can change ${possible.join(', ')}; for anything else make another group, and delete this one` }),
  })
}
