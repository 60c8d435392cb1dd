import { randomUUID } from 'node:crypto'
import { type Answer, json } from '../../../http.ts'
import { readBody } from '../body.ts'
import { name242 } from '../clusters/cluster-fields.ts'
import { allow, type Call, find, findCluster, nouns } from '../context.ts'
import { type Fields, readFields, type Values } from '../fields.ts'
import { applyPatch, changes, readPatch } from '../json-patch.ts'
import { list, onlyQuery } from '../listing.ts'
import { randomName } from '../names.ts'
import { refuse } from '../refusals.ts'
import type { Federation } from '../store.ts'
import { federationRow, federationView } from '../views.ts'
import { deleteFederation as drop, createFederation as store, updateFederation } from './federation-conductor.ts'
import { readMembership } from './federation-members.ts'

const statuses = [
  'CREATE_IN_PROGRESS',
  'CREATE_FAILED',
  'UPDATE_IN_PROGRESS',
  'CREATE_COMPLETE',
  'UPDATE_FAILED',
  'DELETE_COMPLETE',
  'UPDATE_COMPLETE',
  'DELETE_IN_PROGRESS',
  'DELETE_FAILED',
]

const fields: Fields = {
  uuid: { kind: 'text' },
  name: name242,
  hostcluster_id: { kind: 'text' },
  member_ids: { kind: 'list' },
  status: { kind: 'text', values: statuses },
  status_reason: { kind: 'text' },
  properties: { kind: 'properties' },
  links: { kind: 'list', readOnly: true },
  created_at: { kind: 'text', readOnly: true },
  updated_at: { kind: 'text', readOnly: true },
}

/** Only of the caller's own project, even for admins. */
const findFederation = (call: Call, ident: string): Federation =>
  find(ident, call.state.store.federations, row => row.project_id === call.projectId, nouns.federation)

export function listFederations(call: Call, detail: boolean): Answer {
  allow(call, `federation:${detail ? 'detail' : 'get_all'}`, 'reader')
  if (call.projectId === null && call.token.scope.kind === 'system') {
    throw refuse(500, 'Entity namespace for "federation" has no property "user_id"') // upstream's own mistake
  }
  const rows = [...call.state.store.federations.values()].filter(row => row.project_id === call.projectId)
  const shown = list(call, {
    rows,
    view: row => (detail ? federationView(call, row) : federationRow(call, row)),
    plural: 'federations',
    columns: [...Object.keys(fields).filter(name => name !== 'links'), 'id', 'project_id'],
    marker: row => row.uuid,
    noMarker: marker => refuse(404, `Federation ${marker} could not be found.`),
    path: detail ? 'federations/detail' : 'federations',
  })
  return json(200, shown)
}

export function showFederation(call: Call, ident: string): Answer {
  onlyQuery(call)
  const row = findFederation(call, ident)
  allow(call, 'federation:get', 'reader')
  return json(200, federationView(call, row))
}

export async function createFederation(call: Call): Promise<Answer> {
  const { state } = call
  const requested = readFields('federation', await readBody(call, 'federation'), fields, state.release.number)
  allow(call, 'federation:create', 'member')
  const host = requested.hostcluster_id as string | null | undefined
  if (host == null) throw refuse(400, 'No hostcluster specified. Please specify a hostcluster_id.')
  findCluster(call, host)
  const properties = requested.properties as Record<string, string> | null | undefined
  if (properties == null) throw refuse(400, 'Please specify a `properties` dict for the federation.')
  if (properties['dns-zone'] == null) throw refuse(400, 'No DNS zone specified. Please specify a `dns-zone`.')
  const row: Federation = {
    id: 0,
    uuid: randomUUID(),
    name: (requested.name as string | null | undefined) ?? randomName('federation'),
    project_id: call.projectId ?? '',
    hostcluster_id: host, // as sent: a name stays a name
    member_ids: (requested.member_ids as string[] | null | undefined) ?? [],
    status: (requested.status as string | null | undefined) ?? null,
    status_reason: (requested.status_reason as string | null | undefined) ?? null,
    properties,
    created_at: state.clock.now(),
    updated_at: null,
  }
  store(state, row)
  return json(202, { uuid: row.uuid })
}

export async function patchFederation(call: Call, ident: string): Promise<Answer> {
  const { state } = call
  onlyQuery(call, 'rollback')
  const operations = readPatch(await readBody(call, 'patch'))
  const row = findFederation(call, ident)
  allow(call, 'federation:update', 'member')
  const { id, uuid, project_id, created_at, updated_at, ...rest } = row
  const before: Values = structuredClone(rest)
  const after = applyPatch(before, readMembership(call, row, operations))
  const changed = changes(before, after, fields)
  const frozen = changed.filter(name => name !== 'member_ids' && name !== 'properties')
  if (frozen.length) throw refuse(400, `cannot change federation property(ies) ${frozen.join(', ')}.`)
  updateFederation(state, row, {
    member_ids: (after.member_ids as string[] | undefined) ?? null,
    properties: (after.properties as Record<string, string> | undefined) ?? {},
  })
  return json(202, { uuid })
}

export function deleteFederation(call: Call, ident: string): Answer {
  onlyQuery(call)
  const row = findFederation(call, ident)
  allow(call, 'federation:delete', 'member')
  drop(call.state, row)
  return { status: 204 }
}
