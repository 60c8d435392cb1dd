import { requireNoun } from '../../cli/backend-nouns.ts'
import { requiredInt } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { propertyTable } from '../../io/formats/bare-table.ts'
import { quotaColumns, whichQuota } from './options.ts'

export const quotasUpdate = defineCommand({
  words: 'quotas update',
  summary: 'Change the quota of a project',
  description: 'Changes how many clusters a project may have. For administrators.',
  needs: 'quotas',
  args: {},
  options: { ...whichQuota, hardLimit: requiredInt('hard-limit', 'n', 'maximum number', { min: 0 }) },
  examples: [{ line: 'coe quotas update --project-id 5b49a5a0 --hard-limit 40', help: '40 from now on' }],
  output: { kind: 'text', columns: quotaColumns, header: ['Property', 'Value'], nullText: '-' },
  exits: { 3: 'it has no quota of its own', 4: 'only administrators may' },
  async run(context, { options }) {
    const quotas = await requireNoun(context, 'quotas')
    const quota = await quotas.update(context.call, options.projectId, options.resource, options.hardLimit)
    return { object: quota, text: propertyTable(quota, context.streams.stdout) }
  },
})
