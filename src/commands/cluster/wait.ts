import { waitOptions } from '../../cli/options/wait-options.ts'
import { arg } from '../../cli/parse/values.ts'
import { defineCommand, type OptionSpec, ValueProblem } from '../../cli/spec.ts'
import { didYouMean } from '../../core/text.ts'
import type { ClusterGoal } from '../../model/backend.ts'
import { clusterStatuses } from '../../model/status.ts'
import { clusterShowColumns } from './columns.ts'

const words = ['complete', 'healthy', 'gone']

const goal: OptionSpec<ClusterGoal> = {
  name: 'for',
  value: 'goal',
  help: 'complete, healthy, gone, or status=STATUS (several with commas)',
  fallback: 'complete',
  parse(given) {
    const wanted = given.at(-1) ?? 'complete'
    if (wanted === 'complete') return { kind: 'complete' }
    if (wanted === 'healthy' || wanted === 'gone') return { kind: wanted }
    if (!wanted.startsWith('status=')) {
      const asStatus = (clusterStatuses as readonly string[]).includes(wanted.toUpperCase())
      // kubectl's word for it
      const near = asStatus ? `status=${wanted.toUpperCase()}` : /^deleted?$/.test(wanted) ? 'gone' : undefined
      const meant = near === undefined ? didYouMean(wanted, words) : `did you mean "${near}"?`
      throw new ValueProblem(`"${wanted}" is not one of ${words.join(', ')}, status=STATUS${meant ? `; ${meant}` : ''}`)
    }
    const status = wanted.slice('status='.length).toUpperCase().split(',')
    for (const s of status) {
      if ((clusterStatuses as readonly string[]).includes(s)) continue
      const near = didYouMean(s, clusterStatuses)
      throw new ValueProblem(`"${s}" is not a status of a cluster${near ? `; ${near}` : ''}`)
    }
    return { kind: 'status', status }
  },
}

export const clusterWait = defineCommand({
  words: 'cluster wait',
  summary: 'Wait until a cluster reaches a state',
  description:
    'Waits until a cluster reaches the state given with --for. Fails as soon as it ends in any other state (failed, rolled back, deleted, unknown), with the reason and the faults.',
  args: { cluster: arg('name or uuid of the cluster', { complete: 'cluster' }) },
  options: { for: goal, waitTimeout: waitOptions.waitTimeout },
  examples: [
    { line: 'coe cluster wait prod', help: 'until the current change is complete' },
    { line: 'coe cluster wait prod --for healthy --wait-timeout 15m', help: 'until Magnum reports it healthy' },
    { line: 'coe cluster wait prod --for gone', help: 'until it is deleted' },
  ],
  output: { kind: 'text', columns: clusterShowColumns },
  exits: { 1: 'the cluster failed', 7: 'it did not reach the state in time' },
  async run(context, { args, options }) {
    const { clusters } = await context.backend()
    const operation = await context.operation({ wait: true, waitTimeout: options.waitTimeout })
    const cluster = await clusters.waitFor(context.call, args.cluster, options.for, operation)
    if (!cluster) {
      context.say(`Cluster ${args.cluster} is gone`)
      return undefined // there is no object to print
    }
    const health = cluster.health_status ? `, ${cluster.health_status}` : ''
    context.say(`Cluster ${args.cluster} is ${cluster.status}${health}`)
    return { object: cluster }
  },
})
