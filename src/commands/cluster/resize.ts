import { waitOptions } from '../../cli/options/wait-options.ts'
import { arg, intArg, text, texts } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { plural } from '../../core/text.ts'
import { clusterShowColumns } from './columns.ts'
import { shown } from './shown.ts'

export const clusterResize = defineCommand({
  words: 'cluster resize',
  summary: 'Change how many nodes a cluster has',
  description: 'Sets the number of worker nodes of a cluster, or of one of its node groups.',
  args: {
    cluster: arg('name or uuid of the cluster', { complete: 'cluster' }),
    nodeCount: intArg('number of nodes', { label: 'node_count', min: 0 }),
  },
  options: {
    nodesToRemove: texts('nodes-to-remove', 'server', 'remove this server first; repeatable'),
    nodegroup: text('nodegroup', 'nodegroup', 'name or uuid of the node group (default: the default workers)', {
      complete: 'nodegroup',
    }),
    ...waitOptions,
  },
  examples: [
    { line: 'coe cluster resize prod 5 --wait', help: 'five worker nodes' },
    { line: 'coe cluster resize prod 2 --nodegroup gpu', help: 'two nodes in the group "gpu"' },
  ],
  output: { kind: 'text', columns: clusterShowColumns },
  exits: { 5: 'the cluster is not in a state to be resized' },
  async run(context, { args, options }) {
    const { clusters } = await context.backend()
    const { nodesToRemove, nodegroup } = options
    const accepted = () => context.say(`Request to resize cluster ${args.cluster} has been accepted.`)
    const operation = { ...(await context.operation(options)), accepted }
    const size = { nodeCount: args.nodeCount, nodesToRemove, nodegroup }
    const { cluster, changed } = await clusters.resize(context.call, args.cluster, size, operation)
    if (!changed) {
      const where = nodegroup === undefined ? `Cluster ${args.cluster}` : `Node group ${nodegroup} of ${args.cluster}`
      context.say(`${where} already has ${plural(args.nodeCount, 'node')}: unchanged`)
    }
    return { object: await shown(context, cluster, options.wait || !changed) }
  },
})
