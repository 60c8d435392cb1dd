import { flag } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { driverListColumns, driverRow } from './columns.ts'

export const driverList = defineCommand({
  words: 'driver list',
  summary: 'List drivers',
  description:
    'Lists the drivers for federations and clusters: those that come with coe, those in the folders that drivers.folders of config.yaml names, and packages named coe-driver-* that are installed beside coe. Lists a driver that cannot be loaded with its error; everything else keeps working. Does not query a server.',
  args: {},
  options: { long: flag('long', 'also show what each is') },
  examples: [
    { line: 'coe driver list', help: 'all drivers, and whether they work' },
    { line: 'coe driver list --long', help: 'with a title for each' },
  ],
  output: { kind: 'list', columns: driverListColumns, nullText: '' },
  async run(context, { options }) {
    const drivers = await (await context.drivers()).list()
    return { rows: drivers.map(driverRow), long: options.long }
  },
})
