import { requireNoun } from '../../cli/backend-nouns.ts'
import { type Column, defineCommand } from '../../cli/spec.ts'
import { propertyTable } from '../../io/formats/bare-table.ts'
import { quotaColumns, whichQuota } from './options.ts'

const used: Column = { name: 'in_use', type: 'integer', help: 'number in use; null if you have no right to see it' }

export const quotasShow = defineCommand({
  words: 'quotas show',
  summary: 'Show the quota of a project',
  description:
    "Shows the quota of a project (default: yours), which is the cloud's default if it has none of its own. With -f it also shows how much of the quota is in use.",
  needs: 'quotas',
  args: {},
  options: whichQuota,
  examples: [
    { line: 'coe quotas show', help: 'of the project you work in' },
    { line: 'coe quotas show -f json', help: 'with the number in use' },
  ],
  output: { kind: 'text', columns: [...quotaColumns, used], header: ['Property', 'Value'], nullText: '-' },
  exits: { 4: 'the quota of another project is for administrators' },
  async run(context, { options }) {
    const [quotas, stats] = await Promise.all([requireNoun(context, 'quotas'), requireNoun(context, 'stats')])
    const reading = quotas.get(context.call, options.projectId, options.resource)
    if (!context.formatted) {
      const quota = await reading
      return { object: quota, text: propertyTable(quota, context.streams.stdout) }
    }
    const count = context
      .cloud()
      .then(async cloud => options.projectId ?? (await cloud.identity()).project?.id)
      .then(project => stats.get(context.call, project))
    const [quota, counted] = await Promise.all([reading, count.catch(() => undefined)])
    return { object: { id: null, created_at: null, updated_at: null, ...quota, in_use: counted?.clusters ?? null } }
  },
})
