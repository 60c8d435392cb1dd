import { requireNoun } from '../../cli/backend-nouns.ts'
import { waitOptions } from '../../cli/options/wait-options.ts'
import {
  asDictionary,
  asNumber,
  asWritten,
  changeOf,
  isEmpty,
  type StockPaths,
} from '../../cli/parse/change-arguments.ts'
import { editArguments } from '../../cli/parse/edit-arguments.ts'
import { type FieldOptions, givenValues } from '../../cli/parse/given-values.ts'
import { labelList } from '../../cli/parse/labels.ts'
import { taintList } from '../../cli/parse/taints.ts'
import { arg, int } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import { nextStep, optionArgs } from '../../core/next-step.ts'
import type { NodeGroupFields } from '../../model/nodegroup-request.ts'
import { nodegroupColumns } from './columns.ts'

const fieldOptions = {
  minNodes: int('min-nodes', 'n', 'minimum number of nodes', { min: 0 }),
  maxNodes: int('max-nodes', 'n', 'maximum number of nodes', { min: 0 }),
  nodeLabels: labelList('node-labels', 'complete list of labels of the Kubernetes nodes; "" for none'),
  nodeTaints: taintList('node-taints', 'complete list of taints of the Kubernetes nodes; "" for none'),
} satisfies FieldOptions<NodeGroupFields>

const paths: StockPaths<NodeGroupFields> = {
  min_node_count: ['minNodes', asNumber],
  max_node_count: ['maxNodes', asNumber],
  node_labels: ['nodeLabels', asDictionary],
  node_taints: ['nodeTaints', asWritten],
}

export const nodegroupUpdate = defineCommand({
  words: 'nodegroup update',
  summary: 'Change a node group',
  description:
    'Changes the minimum and maximum number of nodes of a group, and the labels and taints of its nodes. Accepts both dialects of the openstack client: options, and "replace max_node_count=6". To change the number of nodes, use "cluster resize".',
  needs: 'nodegroups',
  args: {
    cluster: arg('name or uuid of the cluster', { complete: 'cluster' }),
    nodegroup: arg('name or uuid of the node group', { complete: 'nodegroup' }),
    ...editArguments,
  },
  options: {
    ...fieldOptions,
    ...waitOptions,
  },
  examples: [
    { line: 'coe nodegroup update prod gpu --min-nodes 1 --max-nodes 6', help: 'new bounds' },
    { line: 'coe nodegroup update prod gpu replace max_node_count=6', help: 'the older dialect' },
    { line: 'coe nodegroup update prod gpu remove max_node_count', help: 'remove the upper bound' },
  ],
  output: { kind: 'text', columns: nodegroupColumns },
  exits: { 5: 'the group is not in a state to be changed, or must be resized first' },
  async run(context, { args, options }) {
    const change = changeOf<NodeGroupFields>(args, { set: givenValues(fieldOptions, options) }, paths)
    if (isEmpty(change)) {
      throw usage('nothing to update', {
        next: [
          nextStep('for example', 'nodegroup update', args.cluster, args.nodegroup, ...optionArgs('max-nodes', 'N')),
        ],
      })
    }
    const nodegroups = await requireNoun(context, 'nodegroups')
    const accepted = () => context.say(`Request to update nodegroup ${args.nodegroup} has been accepted.`)
    const operation = { ...(await context.operation(options)), accepted }
    return { object: await nodegroups.update(context.call, args.cluster, args.nodegroup, change, operation) }
  },
})
