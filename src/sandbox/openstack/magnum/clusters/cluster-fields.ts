import { type Fields, namePattern } from '../fields.ts'

const text = { kind: 'text' } as const
const short = { kind: 'text', minLength: 1, maxLength: 255 } as const
const readOnlyText = { kind: 'text', readOnly: true } as const

export const name242 = { kind: 'text', minLength: 1, maxLength: 242, pattern: namePattern } as const

export const clusterStatuses = [
  ...['CREATE', 'UPDATE', 'DELETE'].flatMap(what => ['IN_PROGRESS', 'FAILED', 'COMPLETE'].map(how => `${what}_${how}`)),
  ...['RESUME_COMPLETE', 'RESUME_FAILED', 'RESTORE_COMPLETE', 'ROLLBACK_IN_PROGRESS', 'ROLLBACK_FAILED'],
  ...['ROLLBACK_COMPLETE', 'SNAPSHOT_COMPLETE', 'CHECK_COMPLETE', 'ADOPT_COMPLETE'],
]

export const clusterFields: Fields = {
  uuid: text,
  name: name242,
  cluster_template_id: { ...short, mandatory: true },
  keypair: { ...short, since: 4 },
  node_count: { kind: 'int', min: 0 },
  master_count: { kind: 'int', min: 1 },
  docker_volume_size: { kind: 'int', min: 1, since: 5 },
  labels: { kind: 'labels', since: 6 },
  master_flavor_id: { ...short, since: 6 },
  flavor_id: { ...short, since: 6 },
  create_timeout: { kind: 'int', min: 0 },
  links: { kind: 'list', readOnly: true },
  stack_id: readOnlyText,
  status: { kind: 'text', values: clusterStatuses },
  status_reason: text,
  health_status: { kind: 'text', values: ['HEALTHY', 'UNHEALTHY', 'UNKNOWN'], since: 8 },
  health_status_reason: { kind: 'labels', since: 8 },
  discovery_url: text,
  api_address: readOnlyText,
  coe_version: readOnlyText,
  container_version: readOnlyText,
  project_id: readOnlyText,
  user_id: readOnlyText,
  node_addresses: { kind: 'list', readOnly: true },
  master_addresses: { kind: 'list', readOnly: true },
  faults: { kind: 'labels' },
  fixed_network: { ...text, since: 9 },
  fixed_subnet: { ...text, since: 9 },
  floating_ip_enabled: { kind: 'bool', since: 9 },
  merge_labels: { kind: 'bool', since: 11 },
  labels_overridden: { kind: 'labels', since: 11 },
  labels_added: { kind: 'labels', since: 11 },
  labels_skipped: { kind: 'labels', since: 11 },
  master_lb_enabled: { kind: 'bool', since: 11 },
  created_at: readOnlyText,
  updated_at: readOnlyText,
}

/** The columns of the cluster table, by which lists can be sorted. */
export const clusterColumns = [
  'id',
  'uuid',
  'name',
  'project_id',
  'user_id',
  'cluster_template_id',
  'keypair',
  'docker_volume_size',
  'master_flavor_id',
  'flavor_id',
  'stack_id',
  'api_address',
  'status',
  'status_reason',
  'health_status',
  'create_timeout',
  'discovery_url',
  'coe_version',
  'container_version',
  'created_at',
  'updated_at',
]
