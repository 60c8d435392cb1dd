import { requireNoun } from '../../cli/backend-nouns.ts'
import { ignoreNotFound, unlessMissing } from '../../cli/options/list-options.ts'
import { args } from '../../cli/parse/values.ts'
import { forEachItem, outcomeColumns } from '../../cli/print/each-item.ts'
import { defineCommand } from '../../cli/spec.ts'

export const templateDelete = defineCommand({
  words: 'cluster template delete',
  summary: 'Delete cluster templates',
  description:
    'Deletes templates; if one cannot be deleted, the others still are. A template that a cluster was created from cannot be deleted.',
  needs: 'templates',
  args: { templates: args('names or uuids of the templates', { label: 'cluster-template', complete: 'template' }) },
  options: { ignoreNotFound },
  examples: [
    { line: 'coe cluster template delete old', help: 'one template' },
    { line: 'coe cluster template delete old older --ignore-not-found', help: 'several, whether they exist or not' },
  ],
  output: { kind: 'text', many: true, columns: outcomeColumns('template', 'deleted, missing') },
  exits: { 3: 'there is no such template', 5: 'clusters use it', 6: 'some were deleted, others not' },
  async run(context, { args, options }) {
    const templates = await requireNoun(context, 'templates')
    return forEachItem(context, {
      noun: 'template',
      items: args.templates,
      async work(name) {
        const deleted = await unlessMissing(options.ignoreNotFound, () => templates.delete(context.call, name))
        if (!deleted) return 'missing'
        context.say(`Request to delete cluster template ${name} has been accepted.`)
        return 'deleted'
      },
    })
  },
})
