import { flag } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { driverListColumns, driverRow } from './columns.ts'

export const driverList = defineCommand({
  words: 'driver list',
  summary: 'List drivers',
  description:
    'Lists what can make federations and what knows clusters: the drivers that come with coe, those in the folders that drivers.folders of config.yaml names, and packages named coe-driver-* that are installed beside coe. One that cannot be loaded is listed with its error, and keeps nothing else from working. No server is asked.',
  args: {},
  options: { long: flag('long', 'what each is, too') },
  examples: [
    { line: 'coe driver list', help: 'which there are, and whether they work' },
    { line: 'coe driver list --long', help: 'and what each is' },
  ],
  output: { kind: 'list', columns: driverListColumns, nullText: '' },
  async run(context, { options }) {
    const drivers = await (await context.drivers()).list()
    return { rows: drivers.map(driverRow), long: options.long }
  },
})
