/** The columns of federations. */
import { long } from '../../cli/print/columns.ts'
import type { Column, Row } from '../../cli/spec.ts'
import type { Federation } from '../../model/federation.ts'

const uuid: Column = { name: 'uuid', type: 'string', help: 'identifier of the federation', nullable: false }
const name: Column = { name: 'name', type: 'string', help: 'name, which need not be unique in Magnum' }
const hostcluster: Column = {
  name: 'hostcluster',
  type: 'string',
  help: 'cluster that hosts its API: its name if known, else its uuid',
}
const status: Column = { name: 'status', type: 'string', help: 'status, such as CREATE_COMPLETE' }
const reason: Column = { name: 'status_reason', type: 'string', help: 'reason for the status', prose: true }
const properties: Column = {
  name: 'properties',
  type: 'object',
  help: 'its metadata, including dns-zone; as text k=v, separated by commas',
  nullable: false,
  // "create --file" reads the YAML of a standalone federation, so it stays an object there
  text: (value, row, format) => (format === 'yaml' && 'settings' in row ? value : pairsText(value)),
}

const pairsText = (value: unknown): unknown =>
  value !== null && typeof value === 'object'
    ? Object.entries(value)
        .map(([k, v]) => `${k}=${v}`)
        .join(',')
    : value

export const federationListColumns: readonly Column[] = [
  uuid,
  name,
  hostcluster,
  { name: 'members', type: 'integer', help: 'number of members', nullable: false },
  status,
  ...[
    { name: 'hostcluster_id', type: 'string', help: 'uuid of the cluster that hosts its API' } as const,
    { name: 'member_ids', type: 'array', help: 'uuids of the members', nullable: false } as const,
    properties,
    reason,
    { name: 'created_at', type: 'string', help: 'when it was created' } as const,
    { name: 'updated_at', type: 'string', help: 'when it last changed' } as const,
  ].map(long),
]

export const federationShowColumns: readonly Column[] = [
  uuid,
  name,
  hostcluster,
  {
    name: 'members',
    type: 'array',
    help: 'member clusters: their names in the federation if it has names, else their uuids',
    nullable: false,
  },
  { name: 'project_id', type: 'string', help: 'project it belongs to; null in standalone mode' },
  properties,
  status,
  reason,
]

/** Further columns in standalone mode. Together they are all that "create --file" needs to create the same federation. */
export const standaloneColumns: readonly Column[] = (
  [
    { name: 'api_address', type: 'string', help: 'address of its API; null if you have no right to read it' },
    { name: 'context_name', type: 'string', help: 'kubeconfig context that leads to it' },
    { name: 'namespace', type: 'string', help: 'its namespace on the host' },
    { name: 'engine_version', type: 'string', help: 'version of the engine, such as Karmada' },
    { name: 'driver', type: 'string', help: 'driver that made it' },
    { name: 'driver_version', type: 'string', help: 'version of that driver' },
    { name: 'settings', type: 'object', help: "the driver's options, as given", dataOnly: true },
    { name: 'joined', type: 'array', help: 'in JSON: each member with its settings', dataOnly: true },
    {
      name: 'unfinished',
      type: 'array',
      help: 'changes that were begun and not ended, each with its verb and its members; "federation resume" finishes them',
      dataOnly: true,
    },
    { name: 'created_at', type: 'string', help: 'when it was created' },
    { name: 'updated_at', type: 'string', help: 'when it last changed' },
  ] as const
).map(c => ({ ...c, mode: 'standalone', extra: true }))

const result: Column = { name: 'result', type: 'string', help: 'result of the command', nullable: false }

/** The columns of a change: the federation and the result. A planned federation has no uuid yet. */
export const federationChangeColumns: readonly Column[] = [
  ...federationShowColumns.map(c => (c === uuid ? { ...c, nullable: true } : c)),
  {
    ...result,
    help: 'created, updated, accepted (--no-wait: begun but not finished), planned (--dry-run), or unchanged (in a dry run: nothing would change)',
  },
]

export const memberColumns: readonly Column[] = [
  { name: 'cluster', type: 'string', help: 'name as given on the command line', nullable: false },
  {
    ...result,
    help: 'joined, unjoined, planned (--dry-run), unchanged (in a dry run: nothing would change) or failed',
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
