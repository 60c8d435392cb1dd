import { pageOf, pageOptions } from '../../cli/options/list-options.ts'
import { listOrWatch, type Subject, watchOptions } from '../../cli/options/watch-options.ts'
import { flag } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { failed, usage } from '../../core/errors.ts'
import { plural } from '../../core/text.ts'
import { federationListColumns, listed } from './columns.ts'
import { federationsOf } from './federations.ts'
import { placeOptions } from './input/place.ts'

const output = { kind: 'list', columns: federationListColumns } as const

/** How many clusters without an answer are reported one by one; the rest are counted. */
const mostNamed = 5

const subject: Subject = {
  id: row => String(row.uuid),
  name: row => String(row.name),
  state: ({ status, members }) => `${status}, ${plural(Number(members), 'member')}`,
}

export const federationList = defineCommand({
  words: 'federation list',
  summary: 'List federations',
  description:
    'Lists the federations of the project, with all pages; administrators, too, see only those of their own project. In standalone mode it queries the hosts known to have federations (noted on contexts that coe wrote, or remembered) and the current context; --all-contexts queries every cluster of the kubeconfig in parallel. Each has ten seconds to answer (--timeout). coe names clusters that do not answer, and exits 6.',
  args: {},
  options: {
    ...placeOptions,
    allContexts: flag('all-contexts', 'query every cluster that a context leads to', { mode: 'standalone' }),
    ...pageOptions,
    long: flag('long', 'more columns'),
    ...watchOptions,
  },
  examples: [
    { line: 'coe federation list', help: 'name, status and number of members' },
    { line: 'coe federation list -f json --long', help: 'everything about each' },
    { line: 'coe federation list --watch', help: 'update the list until Ctrl-C' },
    { line: 'coe --standalone federation list --all-contexts', help: 'on every cluster of the kubeconfig' },
  ],
  output,
  exits: { 6: 'some clusters did not answer, so the list may be incomplete' },
  async run(context, { options }) {
    const { allContexts, host, long } = options
    if (allContexts && host !== undefined)
      throw usage('--all-contexts queries every cluster, and --host only one: give one of them')
    const federations = await federationsOf(context, options)
    const { tableColumns } = federations
    const load = async (report: (error: unknown) => void) => {
      let unreachable = 0
      let queried = 0
      const found = await federations.list(context.call, {
        ...pageOf(options),
        detail: long || context.wide,
        allContexts,
        onUnreachable(error, places) {
          unreachable++
          queried = places
          if (unreachable <= mostNamed) report(error)
        },
      })
      if (unreachable > mostNamed) report(failed(`${plural(unreachable - mostNamed, 'more cluster')} did not answer`))
      return { rows: found.map(listed), long, tableColumns, anyWorked: unreachable < queried }
    }
    return listOrWatch(context, options, { output, subject, list: load })
  },
})
