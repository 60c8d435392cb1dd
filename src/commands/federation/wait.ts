import { waitTimeoutOption } from '../../cli/options/wait-options.ts'
import { arg } from '../../cli/parse/values.ts'
import { defineCommand, type OptionSpec, ValueProblem } from '../../cli/spec.ts'
import { didYouMean } from '../../core/text.ts'
import type { FederationGoal } from '../../model/federation-goal.ts'
import { federationShowColumns, shown } from './columns.ts'
import { federationsOf } from './federations.ts'
import { placeOptions } from './input/place.ts'

const goal: OptionSpec<FederationGoal> = {
  name: 'for',
  value: 'goal',
  help: 'ready, gone, or member=CLUSTER',
  fallback: 'ready',
  parse(given) {
    const wanted = given.at(-1) ?? 'ready'
    if (wanted === 'ready' || wanted === 'gone') return { kind: wanted }
    const cluster = /^member=(.+)$/s.exec(wanted)?.[1]
    if (cluster !== undefined) return { kind: 'member', cluster }
    if (/^member=?$/.test(wanted)) throw new ValueProblem('member= needs the name of a cluster: member=CLUSTER')
    // words of other tools and commands for the same goals
    const same = { complete: 'ready', healthy: 'ready', delete: 'gone', deleted: 'gone' }[wanted]
    const near = same ? `did you mean "${same}"?` : didYouMean(wanted, ['ready', 'gone', 'member=CLUSTER'])
    throw new ValueProblem(`"${wanted}" is not one of ready, gone, member=CLUSTER${near ? `; ${near}` : ''}`)
  },
}

export const federationWait = defineCommand({
  words: 'federation wait',
  summary: 'Wait until a federation reaches a state',
  description:
    'Waits until a federation is ready (you can use it), is gone, or has a cluster as a ready member. Fails at once if it cannot reach that state by itself, and prints the command that continues. In standalone mode, ready means that its creation is finished, its API answers and its components run; in Magnum mode, that its status is complete.',
  args: { federation: arg('name or uuid of the federation', { complete: 'federation' }) },
  options: { for: goal, ...placeOptions, waitTimeout: waitTimeoutOption },
  examples: [
    { line: 'coe federation wait myfed', help: 'until it can be used' },
    { line: 'coe federation wait myfed --for member=c2 --wait-timeout 5m', help: 'until c2 is a member and ready' },
    { line: 'coe federation wait myfed --for gone', help: 'until it is deleted' },
  ],
  output: { kind: 'text', columns: federationShowColumns },
  exits: {
    1: 'it cannot reach the state by itself',
    3: 'there is no such federation',
    7: 'it did not reach the state in time',
  },
  async run(context, { args, options }) {
    const federations = await federationsOf(context, options)
    const operation = await context.operation({ wait: true, waitTimeout: options.waitTimeout })
    const federation = await federations.waitFor(context.call, args.federation, options.for, operation)
    const name = federation?.name ?? args.federation
    if (!federation) {
      context.say(`Federation ${name} is gone`)
      return undefined // there is no object to print
    }
    if (options.for.kind === 'member')
      context.say(`Cluster ${options.for.cluster} is a ready member of federation ${name}`)
    else context.say(`Federation ${name} is ready`)
    return { object: shown(federation) }
  },
})
