import { requireNoun } from '../../cli/backend-nouns.ts'
import { arg } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { nodegroupColumns } from './columns.ts'

export const nodegroupShow = defineCommand({
  words: 'nodegroup show',
  summary: 'Show a node group',
  needs: 'nodegroups',
  args: {
    cluster: arg('name or uuid of the cluster', { complete: 'cluster' }),
    nodegroup: arg('name or uuid of the node group', { complete: 'nodegroup' }),
  },
  options: {},
  examples: [
    { line: 'coe nodegroup show prod default-worker', help: 'everything about it' },
    { line: 'coe nodegroup show prod gpu -f value -c node_count', help: 'one field' },
  ],
  output: { kind: 'show', columns: nodegroupColumns },
  exits: { 3: 'there is no such cluster, or no such group in it' },
  async run(context, { args }) {
    const nodegroups = await requireNoun(context, 'nodegroups')
    return { object: await nodegroups.get(context.call, args.cluster, args.nodegroup) }
  },
})
