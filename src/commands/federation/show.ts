import { defineCommand } from '../../cli/spec.ts'
import { arg } from '../../cli/values.ts'
import { federationShowColumns, shown } from './columns.ts'
import { recipeColumns, recipeOf } from './federation-file.ts'
import { federationsOf } from './federations.ts'
import { placeOptions } from './place.ts'

export const federationShow = defineCommand({
  words: 'federation show',
  summary: 'Show a federation',
  description:
    'Shows a federation: its host, its members, its properties, and how it is. Standalone, -f yaml prints all that it takes to make the same again, for "coe federation create --file".',
  args: { federation: arg('name or uuid of the federation', { complete: 'federation' }) },
  options: placeOptions,
  examples: [
    { line: 'coe federation show myfederation', help: 'everything about it' },
    { line: 'coe federation show myfederation -f value -c status', help: 'its status, for a script' },
    { line: 'coe --standalone federation show myfed -f yaml > myfed.yaml', help: 'to make the same again' },
  ],
  output: { kind: 'show', columns: federationShowColumns, header: ['Property', 'Value'] },
  async run(context, { args, options }) {
    const federation = await (await federationsOf(context, options)).get(args.federation)
    if (context.chosen.format !== 'yaml' || (await context.mode()) === 'magnum') return { object: shown(federation) }
    return { object: { ...shown(federation), ...recipeOf(federation) }, extraColumns: recipeColumns }
  },
})
