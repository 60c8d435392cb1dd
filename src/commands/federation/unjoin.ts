import { defineCommand } from '../../cli/spec.ts'
import { arg, args } from '../../cli/values.ts'
import { waitTimeoutOption } from '../../cli/wait-options.ts'
import { memberColumns } from './columns.ts'
import { dryRunOption, federationsOf } from './federations.ts'
import { tell } from './members.ts'

export const federationUnjoin = defineCommand({
  words: 'federation unjoin',
  summary: 'Take clusters out of a federation',
  description:
    'Takes clusters out of a federation, each looked at until it is a member no more. A member whose cluster was deleted meanwhile is named by its uuid. A cluster that is no member is no error.',
  args: {
    federation: arg('name or uuid of the federation', { complete: 'federation' }),
    cluster: args('names or uuids of the clusters', { complete: 'member' }),
  },
  options: { dryRun: dryRunOption, waitTimeout: waitTimeoutOption },
  examples: [{ line: 'coe federation unjoin myfederation cluster3', help: 'cluster3 goes its own way' }],
  output: { kind: 'text', many: true, columns: memberColumns },
  exits: { 3: 'there is no such federation or cluster', 6: 'some left, and some did not' },
  async run(context, { args: { federation, cluster }, options }) {
    const federations = await federationsOf(context)
    const outcomes = await federations.unjoin(federation, cluster, await context.operation({ ...options, wait: true }))
    return tell(context, federation, outcomes, { unchanged: 'is no member of federation', dryRun: options.dryRun })
  },
})
