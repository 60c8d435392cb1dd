import { requireNoun } from '../../cli/backend-nouns.ts'
import { pageOf, pageOptions } from '../../cli/options/list-options.ts'
import { flag, text } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { templateColumns, templateListColumns } from './columns.ts'

export const templateList = defineCommand({
  words: 'cluster template list',
  summary: 'List cluster templates',
  description: 'Lists the templates that the project has or may use, with all pages.',
  needs: 'templates',
  args: {},
  options: {
    ...pageOptions,
    fields: text('fields', 'field,…', `more fields, by name: ${templateColumns.map(c => c.name).join(', ')}`),
    long: flag('long', 'more columns'),
  },
  examples: [
    { line: 'coe cluster template list', help: 'templates for clusters' },
    { line: 'coe cluster template list --fields coe,image_id', help: 'with two more fields' },
    { line: 'coe cluster template list -f value -c name', help: 'only the names, for a script' },
  ],
  output: { kind: 'list', columns: templateListColumns },
  async run(context, { options }) {
    const templates = await requireNoun(context, 'templates')
    const extraColumns = options.fields?.split(',').filter(f => f !== '') ?? []
    return { rows: await templates.list(context.call, pageOf(options)), extraColumns, long: options.long }
  },
})
