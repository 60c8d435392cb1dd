import { pageOf, pageOptions } from '../../cli/list-options.ts'
import { defineCommand } from '../../cli/spec.ts'
import { flag } from '../../cli/values.ts'
import { federationListColumns, listed } from './columns.ts'
import { federationsOf } from './federations.ts'
import { placeOptions } from './place.ts'

export const federationList = defineCommand({
  words: 'federation list',
  summary: 'List federations',
  description:
    'Lists the federations of the project, all pages of them; an administrator too sees their own project’s.',
  args: {},
  options: { ...placeOptions, ...pageOptions, long: flag('long', 'more columns') },
  examples: [
    { line: 'coe federation list', help: 'name, status and number of members' },
    { line: 'coe federation list -f json --long', help: 'everything about each' },
  ],
  output: { kind: 'list', columns: federationListColumns },
  async run(context, { options }) {
    const federations = await federationsOf(context, options)
    const found = await federations.list({ ...pageOf(options), detail: options.long || context.wide })
    return { rows: found.map(listed), long: options.long }
  },
})
