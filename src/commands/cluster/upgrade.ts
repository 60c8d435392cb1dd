import { waitOptions } from '../../cli/options/wait-options.ts'
import { arg, intOr, text } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { clusterShowColumns } from './columns.ts'
import { shown } from './shown.ts'

export const clusterUpgrade = defineCommand({
  words: 'cluster upgrade',
  summary: 'Move a cluster to another template',
  description: "Upgrades a cluster's Kubernetes, or one of its node groups, to the version in another template.",
  args: {
    cluster: arg('name or uuid of the cluster', { complete: 'cluster' }),
    clusterTemplate: arg('name or uuid of the template to upgrade to', {
      label: 'cluster_template',
      complete: 'template',
    }),
  },
  options: {
    maxBatchSize: intOr('max-batch-size', 'n', 'how many nodes at a time', 1, { min: 1 }),
    nodegroup: text('nodegroup', 'nodegroup', 'name or uuid of the node group (default: the whole cluster)', {
      complete: 'nodegroup',
    }),
    ...waitOptions,
  },
  examples: [
    { line: 'coe cluster upgrade prod k8s-1.29 --wait', help: 'one node at a time; wait until it is done' },
    { line: 'coe cluster upgrade prod k8s-1.29 --max-batch-size 3', help: 'three nodes at a time' },
  ],
  output: { kind: 'text', columns: clusterShowColumns },
  exits: { 5: 'the cluster is not in a state to be upgraded' },
  async run(context, { args, options }) {
    const { clusters } = await context.backend()
    const accepted = () => context.say(`Request to upgrade cluster ${args.cluster} has been accepted.`)
    const operation = { ...(await context.operation(options)), accepted }
    const { maxBatchSize, nodegroup } = options
    const target = { template: args.clusterTemplate, maxBatchSize, nodegroup }
    const { cluster } = await clusters.upgrade(context.call, args.cluster, target, operation)
    return { object: await shown(context, cluster, options.wait) }
  },
})
