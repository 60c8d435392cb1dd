/** The fields of federations as they are printed. */
import { long } from '../../cli/print/columns.ts'
import type { Column, Row } from '../../cli/spec.ts'
import type { Federation } from '../../model/federation.ts'

const uuid: Column = { name: 'uuid', type: 'string', help: 'identifier of the federation', nullable: false }
const name: Column = { name: 'name', type: 'string', help: 'name, which need not be unique in Magnum' }
const hostcluster: Column = {
  name: 'hostcluster',
  type: 'string',
  help: 'cluster that its API lives in: its name where that is known, else its uuid',
}
const status: Column = { name: 'status', type: 'string', help: 'where it stands, such as CREATE_COMPLETE' }
const reason: Column = { name: 'status_reason', type: 'string', help: 'why it stands where it does', prose: true }
const properties: Column = {
  name: 'properties',
  type: 'object',
  help: 'its metadata, dns-zone among them; in text as k=v, parted by commas',
  nullable: false,
  // as a description for "create --file" it must be read again
  text: (value, row, format) => (format === 'yaml' && 'settings' in row ? value : spelled(value)),
}

const spelled = (value: unknown): unknown =>
  value !== null && typeof value === 'object'
    ? Object.entries(value)
        .map(([k, v]) => `${k}=${v}`)
        .join(',')
    : value

export const federationListColumns: readonly Column[] = [
  uuid,
  name,
  hostcluster,
  { name: 'members', type: 'integer', help: 'how many clusters are members', nullable: false },
  status,
  ...[
    { name: 'hostcluster_id', type: 'string', help: 'cluster that its API lives in' } as const,
    { name: 'member_ids', type: 'array', help: 'uuids of the members', nullable: false } as const,
    properties,
    reason,
    { name: 'created_at', type: 'string', help: 'when it was made' } as const,
    { name: 'updated_at', type: 'string', help: 'when it changed last' } as const,
  ].map(long),
]

export const federationShowColumns: readonly Column[] = [
  uuid,
  name,
  hostcluster,
  {
    name: 'members',
    type: 'array',
    help: 'member clusters: their names in the federation where it has such, else their uuids',
    nullable: false,
  },
  { name: 'project_id', type: 'string', help: 'project it belongs to; null in standalone mode' },
  properties,
  status,
  reason,
]

/** Of a federation that coe keeps itself. Together they are all that "create --file" needs to make the same again. */
export const standaloneColumns: readonly Column[] = (
  [
    { name: 'api_address', type: 'string', help: 'address of its API; null where that may not be read' },
    { name: 'context_name', type: 'string', help: 'kubeconfig context that leads to it' },
    { name: 'namespace', type: 'string', help: 'its namespace on the host' },
    { name: 'engine_version', type: 'string', help: 'version of the engine, such as Karmada' },
    { name: 'driver', type: 'string', help: 'driver that made it' },
    { name: 'driver_version', type: 'string', help: 'version of that driver' },
    { name: 'settings', type: 'object', help: "the driver's options, as given", dataOnly: true },
    { name: 'joined', type: 'array', help: 'in JSON: each member with what was said of it', dataOnly: true },
    { name: 'created_at', type: 'string', help: 'when it was made' },
    { name: 'updated_at', type: 'string', help: 'when it changed last' },
  ] as const
).map(c => ({ ...c, mode: 'standalone', extra: true }))

const result: Column = { name: 'result', type: 'string', help: 'what became of it', nullable: false }

/** What a change prints under -f: the federation, and what became of it. A planned one has no uuid yet. */
export const federationChangeColumns: readonly Column[] = [
  ...federationShowColumns.map(c => (c === uuid ? { ...c, nullable: true } : c)),
  {
    ...result,
    help: 'created, updated, accepted (--no-wait: begun, and not finished), planned (--dry-run), or unchanged (also of a dry run: nothing would change)',
  },
]

export const memberColumns: readonly Column[] = [
  { name: 'cluster', type: 'string', help: 'as it was named on the command line', nullable: false },
  {
    ...result,
    help: 'joined, unjoined, planned (--dry-run), unchanged (also of a dry run: nothing would change) or failed',
  },
  { name: 'reason', type: 'string', help: 'why it failed', prose: true },
]

export const listed = (f: Federation): Row => ({
  ...f,
  hostcluster: f.hostcluster_name ?? f.hostcluster_id,
  members: f.member_ids.length,
})

export const shown = (f: Partial<Federation>): Row => ({
  uuid: f.uuid ?? null,
  name: f.name ?? null,
  hostcluster: f.hostcluster_name ?? f.hostcluster_id ?? null,
  members: f.member_names ?? f.member_ids ?? [],
  project_id: f.project_id ?? null,
  properties: f.properties ?? {},
  status: f.status ?? null,
  status_reason: f.status_reason ?? null,
})
