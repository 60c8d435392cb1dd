/** The options that select a quota. Both have defaults, unlike upstream's. */

import { text } from '../../cli/parse/values.ts'
import type { Column, OptionSpec } from '../../cli/spec.ts'

/** The only resource that Magnum counts. Magnum requires the capital letter. */
const counted = 'Cluster'

const resource: OptionSpec<string> = {
  name: 'resource',
  value: 'resource',
  help: 'counted resource',
  fallback: counted,
  parse(given) {
    const requested = given.at(-1) ?? counted
    return requested.toLowerCase() === counted.toLowerCase() ? counted : requested
  },
}

export const whichQuota = {
  projectId: text('project-id', 'id', 'project (default: the one you work in)'),
  resource,
}

export const quotaColumns: readonly Column[] = [
  { name: 'resource', type: 'string', help: 'counted resource', nullable: false },
  { name: 'created_at', type: 'string', help: 'when it was set' },
  { name: 'updated_at', type: 'string', help: 'when it last changed' },
  { name: 'hard_limit', type: 'integer', help: 'maximum number', nullable: false },
  { name: 'project_id', type: 'string', help: 'project of the quota', nullable: false },
  { name: 'id', type: 'integer', help: "id of the quota; null for the cloud's default" },
]
