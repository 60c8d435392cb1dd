import { offered } from '../../cli/offered.ts'
import { waitOptions } from '../../cli/options/wait-options.ts'
import { agreeing, editArguments, editsOf } from '../../cli/parse/edit-arguments.ts'
import { labelList } from '../../cli/parse/labels.ts'
import { taintList } from '../../cli/parse/taints.ts'
import { arg, int } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import type { Edit } from '../../model/operation.ts'
import { nodegroupColumns } from './columns.ts'

export const nodegroupUpdate = defineCommand({
  words: 'nodegroup update',
  summary: 'Change a node group',
  description:
    'Changes how few and how many nodes a group may have, and the labels and taints of its nodes. Both dialects of the openstack client are understood: options, and "replace max_node_count=6". The number of nodes is changed by "cluster resize".',
  needs: 'nodegroups',
  args: {
    cluster: arg('name or uuid of the cluster', { complete: 'cluster' }),
    nodegroup: arg('name or uuid of the node group', { complete: 'nodegroup' }),
    ...editArguments,
  },
  options: {
    minNodes: int('min-nodes', 'n', 'least nodes it may have', { min: 0 }),
    maxNodes: int('max-nodes', 'n', 'most nodes it may have', { min: 0 }),
    nodeLabels: labelList('node-labels', 'labels of the Kubernetes nodes, all of them; "" for none'),
    nodeTaints: taintList('node-taints', 'taints of the Kubernetes nodes, all of them; "" for none'),
    ...waitOptions,
  },
  examples: [
    { line: 'coe nodegroup update prod gpu --min-nodes 1 --max-nodes 6', help: 'new bounds' },
    { line: 'coe nodegroup update prod gpu replace max_node_count=6', help: 'the older dialect' },
    { line: 'coe nodegroup update prod gpu remove max_node_count', help: 'no upper bound any more' },
  ],
  output: { kind: 'text', columns: nodegroupColumns },
  exits: { 5: 'the group is not in a state to be changed, or must be resized first' },
  async run(context, { args, options }) {
    const edits = agreeing([...editsOf(args), ...editsOfOptions(options)])
    if (edits.length === 0) {
      throw usage('nothing to update', {
        hint: `say what: coe nodegroup update ${args.cluster} ${args.nodegroup} --max-nodes N`,
      })
    }
    refuseImpossible(edits, args)
    const nodegroups = await offered(context, 'nodegroups')
    const accepted = () => context.say(`Request to update nodegroup ${args.nodegroup} has been accepted.`)
    const operation = { ...(await context.operation(options)), accepted }
    return { object: await nodegroups.update(context.call, args.cluster, args.nodegroup, edits, operation) }
  },
})

interface Flags {
  minNodes: number | undefined
  maxNodes: number | undefined
  nodeLabels: Record<string, string> | undefined
  nodeTaints: object[] | undefined
}

/** Dictionaries and lists go as text: the server takes them no other way in a change. */
function editsOfOptions({ minNodes, maxNodes, nodeLabels, nodeTaints }: Flags): Edit[] {
  const replaced = {
    min_node_count: minNodes,
    max_node_count: maxNodes,
    node_labels: nodeLabels && JSON.stringify(nodeLabels),
    node_taints: nodeTaints && JSON.stringify(nodeTaints),
  }
  return Object.entries(replaced).flatMap(([path, value]): Edit[] =>
    value === undefined ? [] : [{ op: 'replace', path, value }],
  )
}

const possible = ['min_node_count', 'max_node_count', 'node_labels', 'node_taints']

function refuseImpossible(
  edits: readonly Edit[],
  { cluster, nodegroup }: { cluster: string; nodegroup: string },
): void {
  const wrong = edits.find(e => !possible.includes(e.path.split('/')[0] as string))
  if (!wrong) return
  const size = wrong.path === 'node_count'
  throw usage(`Magnum cannot change ${wrong.path} of a node group`, {
    hint: size
      ? `the command for that: coe cluster resize ${cluster} ${wrong.value ?? 'N'} --nodegroup ${nodegroup}`
      : `it can change ${possible.join(', ')}; for anything else make another group, and delete this one`,
  })
}
