/** Which quota is meant: both have a default, upstream has none. */

import { text } from '../../cli/parse/values.ts'
import type { Column, OptionSpec } from '../../cli/spec.ts'

/** The only resource that Magnum counts; it insists on the capital. */
const counted = 'Cluster'

const resource: OptionSpec<string> = {
  name: 'resource',
  value: 'resource',
  help: 'what is counted',
  fallback: counted,
  parse(given) {
    const asked = given.at(-1) ?? counted
    return asked.toLowerCase() === counted.toLowerCase() ? counted : asked
  },
}

export const whichQuota = {
  projectId: text('project-id', 'id', 'project (default: the one you work in)'),
  resource,
}

export const quotaColumns: readonly Column[] = [
  { name: 'resource', type: 'string', help: 'what is counted', nullable: false },
  { name: 'created_at', type: 'string', help: 'when it was set' },
  { name: 'updated_at', type: 'string', help: 'when it changed last' },
  { name: 'hard_limit', type: 'integer', help: 'how many there may be', nullable: false },
  { name: 'project_id', type: 'string', help: 'whose it is', nullable: false },
  { name: 'id', type: 'integer', help: "number of the quota; null for the cloud's default" },
]
