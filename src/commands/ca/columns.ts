import { choice } from '../../cli/parse/values.ts'
import type { Column } from '../../cli/spec.ts'

export const certificateColumns: readonly Column[] = [
  { name: 'cluster_uuid', type: 'string', help: 'cluster whose CA it is' },
  { name: 'pem', type: 'string', help: 'the certificate', nullable: false },
]

/** Which of its authorities; servers answer any other word with the first of them. */
export const caType = choice(
  'ca-type',
  ['kubernetes', 'etcd', 'front-proxy'],
  'which certificate authority (default: kubernetes)',
  { value: 'type' },
)
