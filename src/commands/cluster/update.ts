import { waitOptions } from '../../cli/options/wait-options.ts'
import { agreeing, editArguments, editsOf } from '../../cli/parse/edit-arguments.ts'
import { arg, flag, int, keyValues, text, texts } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import type { Edit } from '../../model/operation.ts'
import { clusterShowColumns } from './columns.ts'
import { shown } from './shown.ts'

export const clusterUpdate = defineCommand({
  words: 'cluster update',
  summary: 'Change a cluster',
  description:
    'Changes the number of nodes of a cluster (and its health, for what looks after it). Both dialects of the openstack client are understood: options, and "replace node_count=4". Magnum changes nothing else; for what other commands can, the error names them.',
  args: {
    cluster: arg('name or uuid of the cluster', { complete: 'cluster' }),
    ...editArguments,
  },
  options: {
    nodeCount: int('node-count', 'n', 'worker nodes', { min: 0 }),
    name: text('name', 'name', 'refused: Magnum cannot rename a cluster', { hidden: true }),
    masterCount: int('master-count', 'n', 'refused: the control plane keeps its size', { hidden: true }),
    label: keyValues('label', 'refused: labels come from the template', { hidden: true }),
    noLabel: texts('no-label', 'key', 'refused: labels come from the template', { hidden: true }),
    rollback: flag('rollback', 'let Magnum go back if the change fails'),
    ...waitOptions,
  },
  examples: [
    { line: 'coe cluster update prod --node-count 4 --wait', help: 'four worker nodes' },
    { line: 'coe cluster update prod replace node_count=4', help: 'the same in the older dialect' },
  ],
  output: { kind: 'text', columns: clusterShowColumns },
  exits: { 5: 'the cluster is not in a state to be changed' },
  async run(context, { args, options }) {
    const edits = agreeing([...editsOf(args), ...editsOfOptions(options)])
    if (edits.length === 0) {
      throw usage('nothing to update', { hint: `say what: coe cluster update ${args.cluster} --node-count N` })
    }
    const { clusters } = await context.backend()
    const accepted = () => context.say(`Request to update cluster ${args.cluster} has been accepted.`)
    const operation = { ...(await context.operation(options)), accepted }
    const { rollback } = options
    const { cluster, changed } = await clusters.update(context.call, args.cluster, edits, { rollback }, operation)
    if (!changed) context.say(`Cluster ${args.cluster} is so already: unchanged`)
    return { object: await shown(context, cluster, options.wait || !changed) }
  },
})

interface Flags {
  nodeCount: number | undefined
  name: string | undefined
  masterCount: number | undefined
  label: Record<string, string>
  noLabel: string[]
}

function editsOfOptions({ nodeCount, name, masterCount, label, noLabel }: Flags): Edit[] {
  const replaced = { node_count: nodeCount, name, master_count: masterCount }
  return [
    ...Object.entries(replaced).flatMap(([path, value]): Edit[] =>
      value === undefined ? [] : [{ op: 'replace', path, value }],
    ),
    ...Object.entries(label).map(([key, value]): Edit => ({ op: 'add', path: `labels/${key}`, value })),
    ...noLabel.map((key): Edit => ({ op: 'remove', path: `labels/${key}` })),
  ]
}
