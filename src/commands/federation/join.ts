import { waitTimeoutOption } from '../../cli/options/wait-options.ts'
import { arg, flag, int, optionalArgs, text } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { memberColumns } from './columns.ts'
import { dryRunOption, federationsOf } from './federations.ts'
import { driverOptionOption, engineOf } from './input/engine-options.ts'
import { joinArgs, joining } from './input/joining.ts'
import { memberOptions } from './input/member-options.ts'
import { placeOptions } from './input/place.ts'
import { unlessSwapped } from './input/swapped.ts'
import { printMembers } from './members.ts'

const standalone = { mode: 'standalone' as const }

export const allowHostOption = flag('allow-host', 'allow the host of the federation as a member', standalone)

export const federationJoin = defineCommand({
  words: 'federation join',
  summary: 'Join clusters to a federation',
  description:
    'Joins clusters to a federation, and waits until each is a member; in standalone mode, until it is Ready there. Magnum takes one at a time: coe sends the next when the one before has joined. A cluster that is already a member is unchanged.',
  args: {
    federation: arg('name or uuid of the federation', { complete: 'federation' }),
    cluster: optionalArgs('names or uuids of the clusters', { complete: 'cluster' }),
  },
  options: {
    fromFile: text('from-file', 'file', 'read clusters and their settings from this YAML file; - is standard input', {
      complete: 'file',
    }),
    clusterName: text(
      'cluster-name',
      'name',
      "the cluster's name in the federation, fixed as long as it is a member",
      standalone,
    ),
    ...memberOptions,
    allowHost: allowHostOption,
    concurrency: int('concurrency', 'n', 'number of clusters to join at a time', {
      ...standalone,
      min: 1,
      fallback: '16',
    }),
    driverOption: driverOptionOption,
    ...placeOptions,
    dryRun: dryRunOption,
    waitTimeout: waitTimeoutOption,
  },
  examples: [
    { line: 'coe federation join myfederation cluster2 cluster3', help: 'join both clusters' },
    { line: 'coe federation join myfederation cluster2 --dry-run', help: 'show what would be sent' },
    { line: 'coe --standalone federation join myfed --from-file members.yaml', help: 'join the clusters in a file' },
  ],
  output: { kind: 'text', many: true, columns: memberColumns },
  exits: { 3: 'there is no such federation or cluster', 6: 'some joined, others not' },
  async run(context, { args: { federation, cluster }, options }) {
    const { allowHost, concurrency } = options
    const members = await joining(context, cluster, options)
    const federations = await federationsOf(context, options)
    const operation = await context.operation({ ...options, wait: true })
    const driverOptions = engineOf(options).options
    const how = { allowHost, concurrency, driverOptions, resumeArgs: joinArgs(cluster, options) }
    const words = { verb: 'join', federation, clusters: cluster } as const
    const outcomes = await unlessSwapped(context, federations, words, () =>
      federations.join(context.call, federation, members, operation, how),
    )
    return printMembers(context, federation, outcomes, {
      unchanged: 'is already a member of federation',
      dryRun: options.dryRun,
    })
  },
})
