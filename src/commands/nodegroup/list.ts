import { requireNoun } from '../../cli/backend-nouns.ts'
import { pageOf, pageOptions } from '../../cli/options/list-options.ts'
import { listOrWatch, type Subject, watchOptions } from '../../cli/options/watch-options.ts'
import { arg, flag, text } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { plural } from '../../core/text.ts'
import { nodegroupListColumns } from './columns.ts'

const output = { kind: 'list', columns: nodegroupListColumns } as const

const subject: Subject = {
  id: row => String(row.uuid),
  name: row => String(row.name),
  state: ({ status, node_count }) => [status, plural(Number(node_count), 'node')].filter(Boolean).join(', '),
}

export const nodegroupList = defineCommand({
  words: 'nodegroup list',
  summary: 'List the node groups of a cluster',
  description:
    'Lists the node groups of a cluster. For the minimum and maximum number of nodes, use "nodegroup show": lists of Magnum contain made-up values.',
  needs: 'nodegroups',
  args: { cluster: arg('name or uuid of the cluster', { complete: 'cluster' }) },
  options: {
    ...pageOptions,
    role: text('role', 'role', 'only groups with this role'),
    long: flag('long', 'more columns'),
    ...watchOptions,
  },
  examples: [
    { line: 'coe nodegroup list prod', help: 'all groups' },
    { line: 'coe nodegroup list prod --role worker -f value -c name', help: 'names of the worker groups' },
    { line: 'coe nodegroup list prod --watch', help: 'update the list until Ctrl-C' },
  ],
  output,
  exits: { 3: 'there is no such cluster' },
  async run(context, { args, options }) {
    const nodegroups = await requireNoun(context, 'nodegroups')
    const { role } = options
    const query = { ...pageOf(options), ...(role === undefined ? {} : { role }) }
    const load = async () => ({ rows: await nodegroups.list(context.call, args.cluster, query), long: options.long })
    return listOrWatch(context, options, { output, subject, list: load })
  },
})
