import { defineCommand } from '../../cli/spec.ts'
import { arg } from '../../cli/values.ts'
import { clusterShowColumns } from './columns.ts'

export const clusterShow = defineCommand({
  words: 'cluster show',
  summary: 'Show a cluster',
  description: 'Shows all that is known of a cluster, with the reason and the faults where it failed.',
  args: { cluster: arg('name or uuid of the cluster', { complete: 'cluster' }) },
  options: {},
  examples: [
    { line: 'coe cluster show prod', help: 'everything about it' },
    { line: 'coe cluster show prod -f value -c status', help: 'its status, for a script' },
    { line: 'coe cluster show prod -c status -c status_reason -c faults', help: 'why it failed' },
  ],
  output: { kind: 'show', columns: clusterShowColumns },
  async run(context, { args }) {
    const { clusters } = await context.backend()
    const cluster = await clusters.get(args.cluster)
    // what newer API versions have in place of stack_id
    return { object: cluster, ...('cluster_id' in cluster ? { extraColumns: ['cluster_id'] } : {}) }
  },
})
