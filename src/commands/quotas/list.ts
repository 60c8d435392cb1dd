import { requireNoun } from '../../cli/backend-nouns.ts'
import { pageOf, pageOptions } from '../../cli/options/list-options.ts'
import { flag } from '../../cli/parse/values.ts'
import { type Column, defineCommand } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import { flagArg, nextStep, optionArgs } from '../../core/next-step.ts'
import { bareTable } from '../../io/formats/bare-table.ts'
import { quotaColumns } from './options.ts'

const shown = ['project_id', 'resource', 'hard_limit']
const columns: readonly Column[] = [
  ...shown.map(name => quotaColumns.find(c => c.name === name) as Column),
  ...quotaColumns.filter(c => !shown.includes(c.name)).map(c => ({ ...c, long: true })),
]

export const quotasList = defineCommand({
  words: 'quotas list',
  summary: 'List quotas of projects',
  description:
    'Lists the quotas of your project, or of all projects. Projects with the default quota are not listed. For administrators.',
  needs: 'quotas',
  args: {},
  options: { ...pageOptions, allTenants: flag('all-tenants', 'list the quotas of all projects') },
  examples: [
    { line: 'coe quotas list --all-tenants', help: 'projects with more or less than the default' },
    { line: 'coe quotas list --all-tenants -f json', help: 'for a program' },
  ],
  output: { kind: 'text', many: true, columns, nullText: '-' },
  exits: { 4: 'only administrators may' },
  async run(context, { options }) {
    if (options.marker !== undefined && !/^\d+$/.test(options.marker)) {
      throw usage(`--marker: "${options.marker}" is not the number of a quota`, {
        next: [
          nextStep(
            'see the column id',
            'quotas list',
            ...flagArg('all-tenants'),
            ...optionArgs('column', ['id', 'project_id']),
          ),
        ],
      })
    }
    const quotas = await requireNoun(context, 'quotas')
    const rows = await quotas.list(context.call, { ...pageOf(options), allTenants: options.allTenants })
    const cells = rows.map(row => shown.map(name => row[name]))
    return { rows, ...(context.formatted ? {} : { text: bareTable(shown, cells, context.streams.stdout) }) }
  },
})
