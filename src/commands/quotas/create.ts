import { requireNoun } from '../../cli/backend-nouns.ts'
import { intOr } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { propertyTable } from '../../io/formats/bare-table.ts'
import { quotaColumns, whichQuota } from './options.ts'

export const quotasCreate = defineCommand({
  words: 'quotas create',
  summary: 'Set the quota of a project',
  description: "Sets how many clusters a project may have, instead of the cloud's default. For administrators.",
  needs: 'quotas',
  args: {},
  options: { ...whichQuota, hardLimit: intOr('hard-limit', 'n', 'maximum number', 1, { min: 0 }) },
  examples: [{ line: 'coe quotas create --project-id 5b49a5a0 --hard-limit 30', help: '30 clusters for that project' }],
  output: { kind: 'text', columns: quotaColumns, header: ['Property', 'Value'], nullText: '-' },
  exits: { 4: 'only administrators may', 5: 'it has a quota already' },
  async run(context, { options }) {
    const quotas = await requireNoun(context, 'quotas')
    const quota = await quotas.create(context.call, options.projectId, options.resource, options.hardLimit)
    return { object: quota, text: propertyTable(quota, context.streams.stdout) }
  },
})
