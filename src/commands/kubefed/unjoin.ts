import { waitTimeoutOption } from '../../cli/options/wait-options.ts'
import { arg, text } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { memberColumns } from '../federation/columns.ts'
import { dryRunOption, federationsOf } from '../federation/federations.ts'
import { engineOf } from '../federation/input/engine-options.ts'
import { printMembers } from '../federation/members.ts'
import { inFull, kubefedPlace } from './options.ts'
import { soleFederation } from './sole-federation.ts'

export const unjoin = defineCommand({
  words: 'unjoin',
  summary: 'Remove a cluster from a federation, as kubefed does',
  description: 'The same as "coe federation unjoin", with the options of kubefed. Workloads stay.',
  args: { name: arg("the cluster's name in the federation", { complete: 'member' }) },
  options: {
    clusterContext: text('cluster-context', 'context', 'context of the cluster', {
      complete: 'context',
      fallback: 'the context that leads to it',
    }),
    ...kubefedPlace,
    dryRun: dryRunOption,
    waitTimeout: waitTimeoutOption,
  },
  examples: [{ line: 'coe unjoin c2 --host-cluster-context c1', help: 'remove c2 from the only federation on c1' }],
  output: { kind: 'text', many: true, columns: memberColumns },
  needs: 'federations.at',
  surplus: inFull('unjoin'),
  async run(context, { args, options }) {
    const { host, namespace, timeout, clusterContext, dryRun } = options
    const federations = await federationsOf(context, { host, namespace, timeout })
    const federation = options.federation ?? (await soleFederation(context, federations))
    const operation = await context.operation({ ...options, wait: true })
    const how = { clusterContext, driverOptions: engineOf(options).options }
    const outcomes = await federations.unjoin(context.call, federation, [args.name], operation, how)
    return printMembers(context, federation, outcomes, { unchanged: 'is not a member of federation', dryRun })
  },
})
