import { requireConsent, yesOption } from '../../cli/options/consent.ts'
import { waitTimeoutOption } from '../../cli/options/wait-options.ts'
import { arg, args, choice, flag, text } from '../../cli/parse/values.ts'
import { holdingsText } from '../../cli/print/holdings.ts'
import { defineCommand } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import { memberColumns } from './columns.ts'
import { dryRunOption, federationsOf } from './federations.ts'
import { driverOptionOption, engineOf } from './input/engine-options.ts'
import { placeOptions } from './input/place.ts'
import { unlessSwapped } from './input/swapped.ts'
import { printMembers } from './members.ts'

export const federationUnjoin = defineCommand({
  words: 'federation unjoin',
  summary: 'Remove clusters from a federation',
  description:
    'Removes clusters from a federation, and waits until each is no longer a member. Keeps what the federation put on them, unless you give --workloads delete: coe then lists it before asking you to confirm; --dry-run lists it in any case. Give the uuid of a member whose cluster no longer exists. A cluster that is not a member is unchanged.',
  args: {
    federation: arg('name or uuid of the federation', { complete: 'federation' }),
    cluster: args('names or uuids of the clusters', { complete: 'member' }),
  },
  options: {
    workloads: choice('workloads', ['keep', 'delete'], 'what to do with what the federation put there', {
      mode: 'standalone',
      fallback: 'keep',
    }),
    force: flag('force', 'remove a cluster that is gone or does not answer; everything on it stays there', {
      mode: 'standalone',
    }),
    clusterContext: text('cluster-context', 'context', 'context that leads to the cluster now; for one cluster', {
      mode: 'standalone',
      complete: 'context',
      fallback: 'the context that leads to it',
    }),
    driverOption: driverOptionOption,
    yes: yesOption,
    ...placeOptions,
    dryRun: dryRunOption,
    waitTimeout: waitTimeoutOption,
  },
  examples: [
    { line: 'coe federation unjoin myfederation cluster3', help: 'remove cluster3, which keeps its workloads' },
    { line: 'coe --standalone federation unjoin myfed c3 --force --yes', help: 'c3 is gone for good' },
  ],
  output: { kind: 'text', many: true, columns: memberColumns },
  exits: { 3: 'there is no such federation or cluster', 6: 'some left, others not' },
  async run(context, { args: { federation, cluster }, options }) {
    const { workloads, force, clusterContext } = options
    if (force && workloads === 'delete') {
      throw usage('--force leaves everything on the cluster where it is; --workloads delete contradicts that')
    }
    if (clusterContext !== undefined && (force || cluster.length > 1)) {
      throw usage(
        `--cluster-context ${force ? 'and --force exclude each other: with --force, coe does not access the cluster' : 'is for one cluster'}`,
      )
    }
    const federations = await federationsOf(context, options)
    if ((force || workloads === 'delete') && !options.dryRun) {
      const names = cluster.map(c => `"${c}"`).join(', ')
      if (!force && context.interactive && !options.yes) {
        const holdings = await federations.holdings?.(context.call, federation, cluster)
        for (const each of holdings ?? []) context.note(holdingsText(each, true))
      }
      const what = force ? `Remove ${names} and leave everything on it` : `Remove ${names} and delete its workloads`
      await requireConsent(context, `${what}?`, options)
    }
    const operation = await context.operation({ ...options, wait: true })
    const words = { verb: 'unjoin', federation, clusters: cluster } as const
    const how = { workloads, force, clusterContext, driverOptions: engineOf(options).options }
    const outcomes = await unlessSwapped(context, federations, words, () =>
      federations.unjoin(context.call, federation, cluster, operation, how),
    )
    return printMembers(context, federation, outcomes, {
      unchanged: 'is not a member of federation',
      dryRun: options.dryRun,
    })
  },
})
