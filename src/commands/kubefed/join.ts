import { waitTimeoutOption } from '../../cli/options/wait-options.ts'
import { arg, text } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { flagArg, optionArgs } from '../../core/next-step.ts'
import type { MemberRequest } from '../../model/member-request.ts'
import { memberColumns } from '../federation/columns.ts'
import { dryRunOption, federationsOf } from '../federation/federations.ts'
import { engineOf } from '../federation/input/engine-options.ts'
import { allowHostOption } from '../federation/join.ts'
import { printMembers } from '../federation/members.ts'
import { inFull, kubefedPlace } from './options.ts'
import { soleFederation } from './sole-federation.ts'

export const join = defineCommand({
  words: 'join',
  summary: 'Join a cluster to a federation, as kubefed does',
  description: 'The same as "coe federation join", with the options of kubefed.',
  args: { name: arg("the cluster's name in the federation; also its context, without --cluster-context") },
  options: {
    clusterContext: text('cluster-context', 'context', 'context of the cluster', {
      complete: 'context',
      fallback: 'NAME',
    }),
    allowHost: allowHostOption,
    ...kubefedPlace,
    dryRun: dryRunOption,
    waitTimeout: waitTimeoutOption,
  },
  examples: [{ line: 'coe join c2 --host-cluster-context c1', help: 'join c2 to the only federation on c1' }],
  output: { kind: 'text', many: true, columns: memberColumns },
  needs: 'federations.at',
  surplus: inFull('join'),
  async run(context, { args, options }) {
    const { host, namespace, timeout, clusterContext, allowHost, dryRun } = options
    const federations = await federationsOf(context, { host, namespace, timeout })
    const federation = options.federation ?? (await soleFederation(context, federations))
    const operation = await context.operation({ ...options, wait: true })
    const member: MemberRequest =
      clusterContext === undefined ? { cluster: args.name } : { cluster: clusterContext, name: args.name }
    const resumeArgs = [member.cluster, ...optionArgs('cluster-name', member.name), ...flagArg('allow-host', allowHost)]
    const how = { allowHost, resumeArgs, driverOptions: engineOf(options).options }
    const outcomes = await federations.join(context.call, federation, [member], operation, how)
    return printMembers(context, federation, outcomes, { unchanged: 'is already a member of federation', dryRun })
  },
})
