import { requireNoun } from '../../cli/backend-nouns.ts'
import { isEmpty } from '../../cli/parse/change-arguments.ts'
import { editArguments } from '../../cli/parse/edit-arguments.ts'
import { arg } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import { nextStep, optionArgs } from '../../core/next-step.ts'
import { templateColumns } from './columns.ts'
import { templateChange, templateUpdateOptions } from './update-options.ts'

export const templateUpdate = defineCommand({
  words: 'cluster template update',
  summary: 'Change a cluster template',
  description:
    'Changes a template; existing clusters stay as they are. Accepts both dialects of the openstack client: options, and "replace name=new". If clusters use the template, you can change only the name, the tags, --hidden, --visible and --public.',
  needs: 'templates',
  args: {
    template: arg('name or uuid of the template', { label: 'cluster-template', complete: 'template' }),
    ...editArguments,
  },
  options: templateUpdateOptions,
  examples: [
    { line: 'coe cluster template update k8s --label kube_tag=v1.30.1', help: 'set one label' },
    { line: 'coe cluster template update k8s replace dns_nameserver=1.1.1.1', help: 'the older dialect' },
    { line: 'coe cluster template update k8s-old --hidden --tag retired', help: 'works for a template in use, too' },
  ],
  output: { kind: 'show', columns: templateColumns, nullText: '-' },
  exits: { 5: 'clusters use it, and these fields cannot change then' },
  async run(context, { args, options }) {
    const change = templateChange(args, options)
    if (isEmpty(change)) {
      throw usage('nothing to update', {
        next: [nextStep('for example', 'cluster template update', args.template, ...optionArgs('name', 'NEW'))],
      })
    }
    const templates = await requireNoun(context, 'templates')
    return { object: await templates.update(context.call, args.template, change) }
  },
})
