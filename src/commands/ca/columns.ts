import { choice } from '../../cli/parse/values.ts'
import type { Column } from '../../cli/spec.ts'

export const certificateColumns: readonly Column[] = [
  { name: 'cluster_uuid', type: 'string', help: 'cluster whose CA it is' },
  { name: 'pem', type: 'string', help: 'the certificate', nullable: false },
]

/** Only these values, because servers silently take any other for the first. */
export const caType = choice(
  'ca-type',
  ['kubernetes', 'etcd', 'front-proxy'],
  'which certificate authority (default: kubernetes)',
  { value: 'type' },
)
