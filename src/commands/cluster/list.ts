import { pageOf, pageOptions } from '../../cli/options/list-options.ts'
import { queryTimeoutOption } from '../../cli/options/wait-options.ts'
import { listOrWatch, type Subject, watchOptions } from '../../cli/options/watch-options.ts'
import { choices, flag, text } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import type { Cluster } from '../../model/cluster.ts'
import { clusterStatuses } from '../../model/status.ts'
import { clusterListColumns } from './columns.ts'
import { listShape, probe, probing } from './probe.ts'

/** A complete status, or its end. */
const statusWords = ['COMPLETE', 'FAILED', 'IN_PROGRESS', ...clusterStatuses]

const output = { kind: 'list', columns: clusterListColumns } as const

const subject: Subject = {
  id: row => String(row.uuid),
  name: row => String(row.name),
  state: ({ status, health_status, node_count }) =>
    [status, health_status, `${node_count ?? '?'} nodes`].filter(Boolean).join(', '),
}

export const clusterList = defineCommand({
  words: 'cluster list',
  summary: 'List clusters',
  description:
    'Lists the clusters of the project, or of all projects for an administrator, with all pages. In standalone mode it lists the contexts of the kubeconfig, and queries servers only with --probe.',
  args: {},
  options: {
    ...pageOptions,
    name: text('name', 'pattern', 'only names that match the pattern; * matches anything'),
    status: choices('status', statusWords, 'only clusters in this status; repeatable'),
    project: text('project', 'project', 'only clusters of this project, by name or id', { mode: 'magnum' }),
    long: flag('long', 'more columns'),
    probe,
    timeout: queryTimeoutOption,
    ...watchOptions,
  },
  examples: [
    { line: 'coe cluster list', help: 'all clusters of the project' },
    { line: 'coe cluster list --status FAILED -f value -c name', help: 'names of all failed clusters, for a script' },
    { line: 'coe cluster list --watch --interval 10s', help: 'update the list until Ctrl-C' },
    { line: 'coe cluster list --sort-key created_at --sort-dir desc --limit 5', help: 'the five newest' },
    { line: 'coe --standalone cluster list --probe', help: 'contexts, and the state of their clusters' },
  ],
  output,
  async run(context, { options }) {
    const { clusters } = await context.backend()
    const detail = options.long || context.wide
    const filtered = options.name !== undefined || options.status.length > 0 || options.project !== undefined
    const { limit, ...page } = pageOf(options)
    // the server has no filters: with a filter, the limit applies to its result
    const query = {
      ...page,
      ...(filtered || limit === undefined ? {} : { limit }),
      ...(options.project === undefined ? {} : { project: options.project }),
      detail,
      ...probing(options),
    }
    const matches = matcher(options)
    const shape = { long: options.long, ...listShape(clusters, options.probe) }
    const load = async () => ({
      rows: (await clusters.list(context.call, query)).filter(matches).slice(0, limit),
      ...shape,
    })
    return listOrWatch(context, options, { output, subject, list: load })
  },
})

interface Filters {
  name: string | undefined
  status: string[]
}

function matcher({ name, status }: Filters): (cluster: Cluster) => boolean {
  const pattern = name === undefined ? undefined : glob(name)
  return cluster =>
    (pattern === undefined || pattern.test(cluster.name ?? '')) &&
    (status.length === 0 || status.some(w => cluster.status === w || cluster.status?.endsWith(`_${w}`)))
}

const glob = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's')
