import { requireNoun } from '../../cli/backend-nouns.ts'
import { ignoreNotFound, unlessMissing } from '../../cli/options/list-options.ts'
import { waitOptions } from '../../cli/options/wait-options.ts'
import { arg, args } from '../../cli/parse/values.ts'
import { forEachItem, outcomeColumns } from '../../cli/print/each-item.ts'
import { defineCommand } from '../../cli/spec.ts'

export const nodegroupDelete = defineCommand({
  words: 'nodegroup delete',
  summary: 'Delete node groups of a cluster',
  description:
    'Deletes the groups and their nodes; if one cannot be deleted, the others still are. The default groups are deleted with the cluster.',
  needs: 'nodegroups',
  args: {
    cluster: arg('name or uuid of the cluster', { complete: 'cluster' }),
    nodegroups: args('names or uuids of the node groups', { label: 'nodegroup', complete: 'nodegroup' }),
  },
  options: { ignoreNotFound, ...waitOptions },
  examples: [
    { line: 'coe nodegroup delete prod gpu --wait', help: 'wait until it is gone' },
    { line: 'coe nodegroup delete prod gpu spot --ignore-not-found', help: 'several, whether they exist or not' },
  ],
  output: {
    kind: 'text',
    many: true,
    columns: outcomeColumns('nodegroup', 'accepted, deleted (with --wait), missing'),
  },
  exits: { 3: 'there is no such cluster, or no such group in it', 6: 'some were deleted, others not' },
  async run(context, { args, options }) {
    const nodegroups = await requireNoun(context, 'nodegroups')
    const operation = await context.operation(options)
    return forEachItem(context, {
      noun: 'nodegroup',
      items: args.nodegroups,
      // in order if each takes one request, in parallel if each takes minutes
      atOnce: options.wait ? 20 : 1,
      async work(name) {
        const accepted = () => context.say(`Request to delete nodegroup ${name} has been accepted.`)
        const there = await unlessMissing(options.ignoreNotFound, () =>
          nodegroups.delete(context.call, args.cluster, name, { ...operation, accepted }),
        )
        if (!there) return 'missing'
        return options.wait ? 'deleted' : 'accepted'
      },
    })
  },
})
