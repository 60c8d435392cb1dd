import { arg } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { driverDetailRow, driverShowColumns } from './columns.ts'

export const driverShow = defineCommand({
  words: 'driver show',
  summary: 'Show a driver',
  description:
    'Shows what a driver provides, the options that it adds to commands, the releases of its engine, and where it was loaded from. If it cannot be loaded, shows why. Does not query a server.',
  args: { driver: arg('name of the driver, such as karmada_v1', { complete: 'driver' }) },
  options: {},
  examples: [
    { line: 'coe driver show karmada_v1', help: 'its options, for people' },
    { line: 'coe driver show karmada_v1 -f json', help: 'its options, as data' },
  ],
  output: { kind: 'show', columns: driverShowColumns, nullText: '' },
  exits: { 3: 'there is no such driver' },
  async run(context, { args }) {
    return { object: driverDetailRow(await (await context.drivers()).get(args.driver)) }
  },
})
