import { requireNoun } from '../../cli/backend-nouns.ts'
import { type Column, defineCommand } from '../../cli/spec.ts'

const columns: readonly Column[] = [
  { name: 'id', type: 'integer', help: 'id of the process', nullable: false },
  { name: 'host', type: 'string', help: 'machine that it runs on' },
  { name: 'binary', type: 'string', help: 'name of the program' },
  { name: 'state', type: 'string', help: 'up or down' },
  { name: 'disabled', type: 'boolean', help: 'whether it is disabled' },
  { name: 'disabled_reason', type: 'string', help: 'why it is disabled' },
  { name: 'created_at', type: 'string', help: 'when it was first seen' },
  { name: 'updated_at', type: 'string', help: 'when it last reported' },
  { name: 'report_count', type: 'integer', help: 'how often it has reported', long: true },
]

export const serviceList = defineCommand({
  words: 'service list',
  summary: "List Magnum's own processes",
  description: 'Lists the conductors of Magnum and whether they report. For administrators.',
  needs: 'services',
  args: {},
  options: {},
  examples: [{ line: 'coe service list -f value -c host -c state', help: 'which of them are up' }],
  output: { kind: 'list', columns },
  exits: { 4: 'only administrators may' },
  async run(context) {
    const services = await requireNoun(context, 'services')
    return { rows: await services.list(context.call) }
  },
})
