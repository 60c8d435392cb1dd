import { pageOf, pageOptions } from '../../cli/list-options.ts'
import { offered } from '../../cli/offered.ts'
import { defineCommand } from '../../cli/spec.ts'
import { arg, flag, text } from '../../cli/values.ts'
import { nodegroupListColumns } from './columns.ts'

export const nodegroupList = defineCommand({
  words: 'nodegroup list',
  summary: 'List the node groups of a cluster',
  description:
    'Lists the node groups of a cluster. How few and how many nodes each may have is in "nodegroup show": lists of Magnum hold made-up values.',
  modes: ['magnum'],
  args: { cluster: arg('name or uuid of the cluster', { complete: 'cluster' }) },
  options: {
    ...pageOptions,
    role: text('role', 'role', 'only groups with this role'),
    long: flag('long', 'more columns'),
  },
  examples: [
    { line: 'coe nodegroup list prod', help: 'all of them' },
    { line: 'coe nodegroup list prod --role worker -f value -c name', help: 'names of those that do the work' },
  ],
  output: { kind: 'list', columns: nodegroupListColumns },
  exits: { 3: 'there is no such cluster' },
  async run(context, { args, options }) {
    const nodegroups = await offered(context, 'nodegroups')
    const { role } = options
    const rows = await nodegroups.list(args.cluster, { ...pageOf(options), ...(role === undefined ? {} : { role }) })
    return { rows, long: options.long }
  },
})
