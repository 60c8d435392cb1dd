import { queryTimeoutOption } from '../../cli/options/wait-options.ts'
import { arg } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { clusterShowColumns, contextColumns, probeColumns } from './columns.ts'
import { probe, probing, showShape } from './probe.ts'

const columns = [...clusterShowColumns, ...contextColumns, ...probeColumns]

export const clusterShow = defineCommand({
  words: 'cluster show',
  summary: 'Show a cluster',
  description:
    'Shows everything about a cluster, with the reason and the faults if it failed. In standalone mode a cluster is a context, or magnum:NAME; servers of contexts are queried only with --probe.',
  args: { cluster: arg('name or uuid of the cluster', { complete: 'cluster' }) },
  options: { probe, timeout: queryTimeoutOption },
  examples: [
    { line: 'coe cluster show prod', help: 'everything about it' },
    { line: 'coe cluster show prod -f value -c status', help: 'its status, for a script' },
    { line: 'coe cluster show prod -c status -c status_reason -c faults', help: 'why it failed' },
    { line: 'coe --standalone cluster show c2 --probe', help: 'a context, and the state of its cluster' },
  ],
  output: { kind: 'show', columns },
  async run(context, { args, options }) {
    const { clusters } = await context.backend()
    const cluster = await clusters.get(context.call, args.cluster, probing(options))
    const shape = showShape(clusters, columns, cluster)
    // newer API versions have it in place of stack_id
    const newer = 'cluster_id' in cluster ? ['cluster_id'] : []
    return { object: cluster, ...shape, extraColumns: [...newer, ...(shape.extraColumns ?? [])] }
  },
})
