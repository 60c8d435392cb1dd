import { type Answer, json } from '../../http.ts'
import { readBody } from './body.ts'
import { allow, type Call } from './context.ts'
import { type Fields, readFields } from './fields.ts'
import { list, onlyQuery } from './listing.ts'
import { refuse } from './refusals.ts'
import type { Quota } from './store.ts'
import { quotaView } from './views.ts'

const fields: Fields = {
  id: { kind: 'int' },
  hard_limit: { kind: 'int', min: 0 },
  project_id: { kind: 'text', minLength: 1, maxLength: 255 },
  resource: { kind: 'text', values: ['Cluster'] },
  created_at: { kind: 'text', readOnly: true },
  updated_at: { kind: 'text', readOnly: true },
}

const missing = (project: string, resource: string) =>
  refuse(404, `Quota could not be found: project_id ${project} resource ${resource}.`)

const stored = (call: Call, project: unknown, resource: unknown): Quota | undefined =>
  call.state.store.quotas.find(row => row.project_id === project && row.resource === resource)

export function listQuotas(call: Call): Answer {
  allow(call, 'quota:get_all', 'admin')
  const { quotas } = call.state.store
  const all = /^(true|1|yes|on|t|y)$/i.test(call.request.query.get('all_tenants') ?? '')
  const shown = list(call, {
    rows: all ? quotas : quotas.filter(row => row.project_id === call.projectId),
    view: quotaView,
    plural: 'quotas',
    columns: ['id', 'project_id', 'resource', 'hard_limit', 'created_at', 'updated_at'],
    marker: row => String(row.id),
    noMarker: marker => refuse(404, `Quota ${marker} could not be found.`),
    path: 'quotas',
    numericMarker: true,
    extraQuery: ['all_tenants'],
  })
  return json(200, shown)
}

/** Never a 404: without a stored quota, the default applies. */
export function showQuota(call: Call, project: string, resource: string): Answer {
  onlyQuery(call)
  allow(call, 'quota:get', 'reader')
  if (!call.isAdmin && project !== call.projectId) throw refuse(403, 'Not authorized.')
  const row = stored(call, project, resource)
  return json(200, row ? quotaView(row) : { hard_limit: call.state.defaultQuota, project_id: project, resource })
}

export async function createQuota(call: Call): Promise<Answer> {
  const { state } = call
  const requested = readFields('quota', await readBody(call, 'quota'), fields, state.release.number)
  allow(call, 'quota:create', 'admin')
  const project = String(requested.project_id ?? '')
  const resource = String(requested.resource ?? '')
  if (!state.directory.projects.some(known => known.id === project)) {
    throw refuse(404, `The project_id ${project} could not be found.`)
  }
  if (stored(call, project, resource)) {
    throw refuse(409, `Quota for project ${project} already exists for resource ${resource}.`)
  }
  const row: Quota = {
    id: state.store.quotas.reduce((most, { id }) => Math.max(most, id), 0) + 1,
    project_id: project,
    resource,
    hard_limit: (requested.hard_limit as number | undefined) ?? 1,
    created_at: state.clock.now(),
    updated_at: null,
  }
  state.store.quotas.push(row)
  return json(201, quotaView(row))
}

/** A plain object, not a JSON patch; a missing limit becomes 1. */
export async function patchQuota(call: Call, project: string, resource: string): Promise<Answer> {
  const { state } = call
  const requested = readFields('quotapatch', await readBody(call, 'quotapatch'), fields, state.release.number)
  allow(call, 'quota:update', 'admin')
  const row = stored(call, project, resource)
  if (!row) throw missing(project, resource)
  const limit = (requested.hard_limit as number | undefined) ?? 1
  if (limit !== row.hard_limit) {
    row.hard_limit = limit
    row.updated_at = state.clock.now()
  }
  return json(202, quotaView(row))
}

export function deleteQuota(call: Call, project: string, resource: string): Answer {
  onlyQuery(call)
  allow(call, 'quota:delete', 'admin')
  const row = stored(call, project, resource)
  if (!row) throw missing(project, resource)
  call.state.store.quotas.splice(call.state.store.quotas.indexOf(row), 1)
  return { status: 204 }
}
