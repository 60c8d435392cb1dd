import { requireNoun } from '../../cli/backend-nouns.ts'
import { arg } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { templateColumns } from './columns.ts'

export const templateShow = defineCommand({
  words: 'cluster template show',
  summary: 'Show a cluster template',
  needs: 'templates',
  args: { template: arg('name or uuid of the template', { label: 'cluster-template', complete: 'template' }) },
  options: {},
  examples: [
    { line: 'coe cluster template show k8s', help: 'everything about it' },
    { line: 'coe cluster template show k8s -f json', help: 'for a program, with real nulls' },
  ],
  output: { kind: 'show', columns: templateColumns, nullText: '-' },
  exits: { 3: 'there is no such template', 5: 'several have that name' },
  async run(context, { args }) {
    const templates = await requireNoun(context, 'templates')
    return { object: await templates.get(context.call, args.template) }
  },
})
