import { waitOptions } from '../../cli/options/wait-options.ts'
import { asDictionary, asNumber, asText, changeOf, isEmpty, type StockPaths } from '../../cli/parse/change-arguments.ts'
import { editArguments } from '../../cli/parse/edit-arguments.ts'
import { type FieldOptions, givenValues } from '../../cli/parse/given-values.ts'
import { arg, flag, int, keyValues, text, texts } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import { nextStep, optionArgs } from '../../core/next-step.ts'
import type { ClusterFields } from '../../model/cluster-request.ts'
import { clusterShowColumns } from './columns.ts'
import { shown } from './shown.ts'

const fieldOptions = {
  nodeCount: int('node-count', 'n', 'number of worker nodes', { min: 0 }),
  name: text('name', 'name', 'refused: Magnum cannot rename a cluster', { hidden: true }),
  controlPlaneCount: int('master-count', 'n', 'refused: the control plane keeps its size', { hidden: true }),
} satisfies FieldOptions<ClusterFields>

const paths: StockPaths<ClusterFields> = {
  node_count: ['nodeCount', asNumber],
  name: ['name', asText],
  master_count: ['controlPlaneCount', asNumber],
  health_status: ['healthStatus', asText],
  health_status_reason: ['healthStatusReason', asDictionary],
}

export const clusterUpdate = defineCommand({
  words: 'cluster update',
  summary: 'Change a cluster',
  description:
    'Changes the number of nodes of a cluster (and its health, for tools that monitor it). Accepts both dialects of the openstack client: options, and "replace node_count=4". Magnum cannot change anything else; if another command can, the error names it.',
  args: {
    cluster: arg('name or uuid of the cluster', { complete: 'cluster' }),
    ...editArguments,
  },
  options: {
    ...fieldOptions,
    label: keyValues('label', 'refused: labels come from the template', { hidden: true }),
    noLabel: texts('no-label', 'key', 'refused: labels come from the template', { hidden: true }),
    rollback: flag('rollback', 'have Magnum roll back if the change fails'),
    ...waitOptions,
  },
  examples: [
    { line: 'coe cluster update prod --node-count 4 --wait', help: 'four worker nodes' },
    { line: 'coe cluster update prod replace node_count=4', help: 'the same in the older dialect' },
  ],
  output: { kind: 'text', columns: clusterShowColumns },
  exits: { 5: 'the cluster is not in a state to be changed' },
  async run(context, { args, options }) {
    const labels = { set: options.label, unset: options.noLabel }
    const change = changeOf<ClusterFields>(args, { set: givenValues(fieldOptions, options), labels }, paths)
    if (isEmpty(change)) {
      throw usage('nothing to update', {
        next: [nextStep('for example', 'cluster update', args.cluster, ...optionArgs('node-count', 'N'))],
      })
    }
    const { clusters } = await context.backend()
    const accepted = () => context.say(`Request to update cluster ${args.cluster} has been accepted.`)
    const operation = { ...(await context.operation(options)), accepted }
    const { rollback } = options
    const { cluster, changed } = await clusters.update(context.call, args.cluster, { ...change, rollback }, operation)
    if (!changed) context.say(`Cluster ${args.cluster} already has these values: unchanged`)
    return { object: await shown(context, cluster, options.wait || !changed) }
  },
})
