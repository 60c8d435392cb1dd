import { defineCommand } from '../../cli/spec.ts'
import { arg } from '../../cli/values.ts'
import { federationShowColumns, shown } from './columns.ts'
import { federationsOf } from './federations.ts'
import { placeOptions } from './place.ts'

export const federationShow = defineCommand({
  words: 'federation show',
  summary: 'Show a federation',
  description: 'Shows a federation: its host, its members, its properties, and how it is.',
  args: { federation: arg('name or uuid of the federation', { complete: 'federation' }) },
  options: placeOptions,
  examples: [
    { line: 'coe federation show myfederation', help: 'everything about it' },
    { line: 'coe federation show myfederation -f value -c status', help: 'its status, for a script' },
  ],
  output: { kind: 'show', columns: federationShowColumns, header: ['Property', 'Value'] },
  async run(context, { args, options }) {
    return { object: shown(await (await federationsOf(context, options)).get(args.federation)) }
  },
})
