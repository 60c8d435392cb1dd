import { randomUUID } from 'node:crypto'
import { type Answer, json } from '../../../http.ts'
import { readBody } from '../body.ts'
import { checkDrivers, checkResources, clusterDistro } from '../cloud-checks.ts'
import { allow, type Call, find, nouns } from '../context.ts'
import { readFields, type Values } from '../fields.ts'
import { applyPatch, changes, readPatch } from '../json-patch.ts'
import { list, onlyQuery } from '../listing.ts'
import { randomName } from '../names.ts'
import { policyRefusal, refuse } from '../refusals.ts'
import type { Template } from '../store.ts'
import { templateView } from '../views.ts'
import { templateFields } from './template-fields.ts'

/** The caller's own project's templates and public ones; admins see all. */
const visibleTemplate = (call: Call) => (row: Template) =>
  call.isAdmin || row.public || row.project_id === call.projectId

export const findTemplate = (call: Call, ident: string, status = 404): Template =>
  find(ident, call.state.store.templates, visibleTemplate(call), nouns.template, status)

export function listTemplates(call: Call, detail: boolean): Answer {
  allow(call, `clustertemplate:${detail ? 'detail' : 'get_all'}`, 'reader')
  const isVisible = visibleTemplate(call)
  const rows = [...call.state.store.templates.values()].filter(row => isVisible(row) && (call.isAdmin || !row.hidden))
  const shown = list(call, {
    rows,
    view: row => templateView(call, row),
    plural: 'clustertemplates',
    columns: [...Object.keys(templateFields(call.state.release.number)), 'id'],
    marker: row => row.uuid,
    noMarker: marker => refuse(404, `ClusterTemplate ${marker} could not be found.`),
    path: detail ? 'clustertemplates/detail' : 'clustertemplates',
  })
  return json(200, shown)
}

export function showTemplate(call: Call, ident: string): Answer {
  onlyQuery(call)
  const row = findTemplate(call, ident)
  if (!row.public) allow(call, 'clustertemplate:get', 'reader')
  return json(200, templateView(call, row))
}

const mayPublish = (call: Call) => {
  if (!call.isAdmin) throw refuse(403, 'Not authorized to set public or hidden flag for cluster template.')
}

export async function createTemplate(call: Call): Promise<Answer> {
  const { state } = call
  const release = state.release.number
  const requested = readFields(
    'cluster_template',
    await readBody(call, 'cluster_template'),
    templateFields(release),
    release,
  )
  allow(call, 'clustertemplate:create', 'member')
  if (requested.coe == null) throw refuse(400, 'Requested COE type Unset is not supported.')
  const distro = clusterDistro(state.cloud, String(requested.image_id), requested)
  checkDrivers(requested)
  checkResources(state.cloud, requested)
  if (requested.public || requested.hidden) mayPublish(call)
  const defaults: Omit<Template, 'coe' | 'image_id'> = {
    id: state.store.nextId(),
    name: randomName('template'),
    flavor_id: null,
    master_flavor_id: null,
    dns_nameserver: null,
    keypair_id: null,
    external_network_id: null,
    fixed_network: null,
    fixed_subnet: null,
    network_driver: 'flannel',
    apiserver_port: null,
    docker_volume_size: null,
    http_proxy: null,
    https_proxy: null,
    no_proxy: null,
    volume_driver: null,
    registry_enabled: false,
    labels: null,
    tls_disabled: false,
    public: false,
    server_type: 'vm',
    insecure_registry: null,
    docker_storage_driver: null,
    master_lb_enabled: false,
    floating_ip_enabled: true,
    hidden: false,
    tags: null,
    driver: 'k8s_fedora_coreos_v1',
    uuid: '',
    cluster_distro: null,
    project_id: '',
    user_id: '',
    created_at: state.clock.now(),
    updated_at: null,
  }
  const row = { ...defaults, ...requested } as Template
  row.uuid = randomUUID()
  row.cluster_distro = distro
  row.project_id = call.projectId ?? ''
  row.user_id = call.userId
  const answer = json(201, templateView(call, row), {
    Location: `${call.request.origin}/v1/clustertemplates/${row.uuid}`,
  })
  row.labels ??= {} // this answer shows null, later ones an empty object
  state.store.templates.set(row.uuid, row)
  return answer
}

const inUse = (call: Call, row: Template): boolean => {
  for (const cluster of call.state.store.clusters.values()) if (cluster.cluster_template_id === row.uuid) return true
  return false
}

const referenced = (row: Template) =>
  refuse(400, `ClusterTemplate ${row.uuid} is referenced by one or multiple clusters.`)

/** All projects see a public template, but only its own may change it. */
function findToChange(call: Call, ident: string, rule: string): Template {
  const row = findTemplate(call, ident)
  if (!call.isAdmin && row.project_id !== call.projectId) throw policyRefusal(rule)
  allow(call, rule, 'member')
  return row
}

const unremovable = [
  'coe',
  'image_id',
  'network_driver',
  'external_network_id',
  'tls_disabled',
  'public',
  'server_type',
  'registry_enabled',
  'cluster_distro',
  'hidden',
]

export async function patchTemplate(call: Call, ident: string): Promise<Answer> {
  onlyQuery(call)
  const { state } = call
  const operations = readPatch(await readBody(call, 'patch'), { unremovable })
  const row = findToChange(call, ident, 'clustertemplate:update')
  const before = patchable(row)
  const after = applyPatch(before, operations)
  const fields = templateFields(state.release.number)
  const changed = changes(before, after, fields)
  if (changed.includes('public') || changed.includes('hidden')) mayPublish(call)
  if (inUse(call, row) && !changeableInUse(changed, after)) throw referenced(row)
  checkDrivers(after)
  checkResources(state.cloud, after)
  for (const name of Object.keys(before)) if (!(name in after)) after[name] = null
  if (after.labels === null) after.labels = {}
  Object.assign(row, after)
  const answer = json(200, templateView(call, row)) // with the old updated_at, since Magnum does not read the row again
  if (changed.length) row.updated_at = state.clock.now()
  return answer
}

function patchable(row: Template): Values {
  const { id, uuid, project_id, user_id, created_at, updated_at, ...rest } = row
  return rest
}

/** Only fields that do not affect clusters, and only one of them at a time. */
function changeableInUse(changed: string[], after: Values): boolean {
  const [only, ...more] = changed
  if (only === undefined || more.length) return false
  return (
    only === 'name' ||
    only === 'hidden' ||
    (only === 'public' && after.public === true) ||
    (only === 'tags' && after.tags != null)
  )
}

export function deleteTemplate(call: Call, ident: string): Answer {
  onlyQuery(call)
  const row = findToChange(call, ident, 'clustertemplate:delete')
  if (inUse(call, row)) throw referenced(row)
  call.state.store.templates.delete(row.uuid)
  return { status: 204 }
}
