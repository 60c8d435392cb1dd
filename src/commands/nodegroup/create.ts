import { requireNoun } from '../../cli/backend-nouns.ts'
import { warnOfLostLabels } from '../../cli/options/lost-labels.ts'
import { waitOptions } from '../../cli/options/wait-options.ts'
import { type FieldOptions, givenValues } from '../../cli/parse/given-values.ts'
import { givenLabels, labelList, labelOptions } from '../../cli/parse/labels.ts'
import { taintList } from '../../cli/parse/taints.ts'
import { arg, flag, freeName, int, text } from '../../cli/parse/values.ts'
import { defineCommand, type Values } from '../../cli/spec.ts'
import { defined } from '../../core/defined.ts'
import { usage } from '../../core/errors.ts'
import type { NodeGroupRequest } from '../../model/nodegroup-request.ts'
import { nodegroupColumns } from './columns.ts'

const requestOptions = {
  nodeCount: int('node-count', 'n', 'number of nodes', { fallback: '1', min: 0 }),
  minNodes: int('min-nodes', 'n', 'minimum number of nodes', { fallback: '0', min: 0 }),
  maxNodes: int('max-nodes', 'n', 'maximum number of nodes', { fallback: 'no limit', min: 0 }),
  role: text('role', 'role', 'role of the nodes', { fallback: 'worker' }),
  flavor: text('flavor', 'flavor', 'flavor of the nodes'),
  image: text('image', 'image', 'name or uuid of the image of the nodes'),
  containerVolumeSize: int('docker-volume-size', 'GB', 'size of the volume for containers on each node', { min: 1 }),
  ...labelOptions,
  mergeLabels: flag('merge-labels', "add the labels to the cluster's instead of replacing them all"),
  nodeLabels: labelList('node-labels', 'labels of the Kubernetes nodes (servers of 2026.2 and newer); repeatable'),
  nodeTaints: taintList('node-taints', 'taints of the Kubernetes nodes (servers of 2026.2 and newer); repeatable'),
} satisfies FieldOptions<NodeGroupRequest, 'label'>

function requestOf(name: string, options: Values<typeof requestOptions>): NodeGroupRequest {
  const { labels, label, ...fields } = givenValues(requestOptions, options)
  return { name, ...fields, ...defined({ labels: givenLabels({ labels, label }) }) }
}

export const nodegroupCreate = defineCommand({
  words: 'nodegroup create',
  summary: 'Add a node group to a cluster',
  description:
    'Adds nodes of another kind to a cluster. Settings that you do not give come from the cluster. Without --wait it returns as soon as the request is accepted.',
  needs: 'nodegroups',
  args: {
    cluster: arg('name or uuid of the cluster', { complete: 'cluster' }),
    name: freeName('name of the new node group'),
  },
  options: {
    ...requestOptions,
    ifNotExists: flag('if-not-exists', 'use the group of that name if the cluster has one'),
    ...waitOptions,
  },
  examples: [
    {
      line: 'coe nodegroup create prod gpu --flavor g1.large --node-count 2 --wait',
      help: 'wait until it is complete',
    },
    { line: 'coe nodegroup create prod spot --min-nodes 1 --max-nodes 5', help: 'a group that can grow and shrink' },
  ],
  output: { kind: 'text', columns: nodegroupColumns },
  exits: { 5: 'the cluster has a group of that name, or is not ready for one' },
  async run(context, { args, options }) {
    const { nodeCount = 1, minNodes = 0, maxNodes = Number.POSITIVE_INFINITY } = options
    if (minNodes > maxNodes) throw usage(`--min-nodes ${minNodes} is more than --max-nodes ${maxNodes}`)
    if (minNodes > nodeCount || nodeCount > maxNodes) {
      throw usage(`--node-count is ${nodeCount}, which is not between --min-nodes and --max-nodes`)
    }
    const request = requestOf(args.name, options)
    const nodegroups = await requireNoun(context, 'nodegroups')
    const accepted = (uuid: string) => context.say(`Request to create nodegroup ${uuid} accepted`)
    const operation = { ...(await context.operation(options)), accepted }
    const duplicate = options.ifNotExists ? 'reuse' : 'refuse'
    const [{ object, created }] = await Promise.all([
      nodegroups.create(context.call, args.cluster, request, { duplicate }, operation),
      warnOfLostLabels(context, request, {
        what: `cluster "${args.cluster}"`,
        made: 'the group',
        get: async () => (await context.backend()).clusters.get(context.call, args.cluster),
      }),
    ])
    if (!created) context.say(`Node group ${args.name} exists already (${object.uuid}): unchanged`)
    return { object }
  },
})
