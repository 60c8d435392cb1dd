import { requireNoun } from '../../cli/backend-nouns.ts'
import { optionalArg } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { propertyTable } from '../../io/formats/bare-table.ts'

export const statsList = defineCommand({
  words: 'stats list',
  summary: 'Count clusters and nodes',
  description:
    'Counts the clusters and nodes of a project. The default is your project, or the whole cloud for an administrator.',
  needs: 'stats',
  args: { project: optionalArg('id of the project') },
  options: {},
  examples: [
    { line: 'coe stats list', help: 'of your project' },
    { line: 'coe stats list 5b49a5a0 -f json', help: 'of another project, for administrators' },
  ],
  output: {
    kind: 'text',
    columns: [
      { name: 'clusters', type: 'integer', help: 'number of clusters', nullable: false },
      { name: 'nodes', type: 'integer', help: 'number of their nodes, control planes included', nullable: false },
    ],
    header: ['Property', 'Value'],
  },
  exits: { 4: 'the counts of another project are for administrators' },
  async run(context, { args }) {
    const stats = await requireNoun(context, 'stats')
    const counted = await stats.get(context.call, args.project)
    return { object: { ...counted }, text: propertyTable(counted, context.streams.stdout) }
  },
})
