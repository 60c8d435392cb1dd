import { defineCommand } from '../../cli/spec.ts'
import { arg, args } from '../../cli/values.ts'
import { waitTimeoutOption } from '../../cli/wait-options.ts'
import { memberColumns } from './columns.ts'
import { dryRunOption, federationsOf } from './federations.ts'
import { tell } from './members.ts'

export const federationJoin = defineCommand({
  words: 'federation join',
  summary: 'Make clusters members of a federation',
  description:
    'Joins clusters to a federation, each looked at until it is a member. Magnum takes one at a time: the next is sent when the one before is seen. A cluster that is a member already is no error.',
  args: {
    federation: arg('name or uuid of the federation', { complete: 'federation' }),
    cluster: args('names or uuids of the clusters', { complete: 'cluster' }),
  },
  options: { dryRun: dryRunOption, waitTimeout: waitTimeoutOption },
  examples: [
    { line: 'coe federation join myfederation cluster2 cluster3', help: 'both' },
    { line: 'coe federation join myfederation cluster2 --dry-run', help: 'what would be sent' },
  ],
  output: { kind: 'text', many: true, columns: memberColumns },
  exits: { 3: 'there is no such federation or cluster', 6: 'some joined, and some did not' },
  async run(context, { args: { federation, cluster }, options }) {
    const federations = await federationsOf(context)
    const outcomes = await federations.join(federation, cluster, await context.operation({ ...options, wait: true }))
    return tell(context, federation, outcomes, { unchanged: 'is a member of federation', dryRun: options.dryRun })
  },
})
