import type { Answer } from '../../http.ts'
import { callWebhooks, hasWebhooks } from '../access/admission.ts'
import { guardEscalation, mayAccess, refusal } from '../access/authorization.ts'
import { applyConfig } from '../change/apply.ts'
import { jsonPatch } from '../change/json-patch.ts'
import { mergePatch } from '../change/merge-patch.ts'
import { strategicPatch } from '../change/strategic-patch.ts'
import { now } from '../control-plane.ts'
import * as failure from '../failure.ts'
import { copy, isMap, type Json, type KubeObject, same } from '../object.ts'
import { createObject, getObject, updateObject, type WriteOptions } from '../objects.ts'
import { apiVersionOf, idOf } from '../resource-types.ts'
import { answerObject, asObject, type Call, isDryRun, managerOf, readBody } from './call.ts'

export async function create(call: Call): Promise<Answer> {
  const body = await readBody(call)
  const object = asObject(call, body)
  const options = { manager: managerOf(call), dryRun: isDryRun(call) }
  return answerObject(call, await admitAndCreate(call, object, options), 201)
}

async function admitAndCreate(call: Call, object: KubeObject, options: WriteOptions): Promise<KubeObject> {
  guardEscalation(call.plane, call.user, call.type, object)
  if (!hasWebhooks(call.plane)) return createObject(call.plane, call.type, object, options)
  // tries without webhooks first, so that they never see an invalid or existing object
  createObject(call.plane, call.type, object, { ...options, dryRun: true })
  const admitted = await callWebhooks(call.plane, 'CREATE', call.type, object)
  return createObject(call.plane, call.type, admitted, options)
}

export async function update(call: Call): Promise<Answer> {
  const body = await readBody(call)
  const object = asObject(call, body)
  if (!object.metadata.name) object.metadata.name = call.name as string
  const old = getObject(call.plane, call.type, call.namespace, call.name as string)
  return answerObject(
    call,
    await admitAndUpdate(call, object, old, { manager: managerOf(call), dryRun: isDryRun(call) }),
  )
}

async function admitAndUpdate(
  call: Call,
  object: KubeObject,
  old: KubeObject,
  options: WriteOptions,
): Promise<KubeObject> {
  const { plane, type, user, subresource } = call
  const all = { ...options, subresource }
  if (subresource) return updateObject(plane, type, object, all)
  if (!same(old.rules, object.rules) || !same(old.roleRef, object.roleRef)) guardEscalation(plane, user, type, object)
  if (!hasWebhooks(plane)) return updateObject(plane, type, object, all)
  updateObject(plane, type, object, { ...all, dryRun: true })
  return updateObject(plane, type, await callWebhooks(plane, 'UPDATE', type, object), all)
}

const patchTypes = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
} as const

export async function patch(call: Call): Promise<Answer> {
  const mediaType = (call.request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? ''
  const how = patchTypes[mediaType as keyof typeof patchTypes]
  if (how === 'strategic' && !call.type.builtin) {
    const accepted = Object.keys(patchTypes).filter(key => !key.includes('strategic'))
    throw failure.unsupportedMediaType(accepted.join(', '))
  }
  if (!how) throw failure.unsupportedMediaType()
  const body = await readBody(call)
  if (how === 'apply') return apply(call, body)
  const live = getObject(call.plane, call.type, call.namespace, call.name as string)
  if (how === 'json' ? !Array.isArray(body) : !isMap(body)) {
    throw failure.badRequest('error decoding patch: json: cannot unmarshal the patch into the type it must have')
  }
  const patched =
    how === 'json'
      ? jsonPatch(live, body as never)
      : how === 'merge'
        ? mergePatch(copy(live), body)
        : strategicPatch(copy(live), body)
  const object = patched as KubeObject
  if (body?.metadata?.managedFields === undefined) object.metadata.managedFields = live.metadata.managedFields ?? []
  return answerObject(
    call,
    await admitAndUpdate(call, object, live, { manager: managerOf(call), dryRun: isDryRun(call) }),
  )
}

async function apply(call: Call, body: Json): Promise<Answer> {
  const { plane, type, request, namespace, user, subresource } = call
  const name = call.name as string
  const fieldManager = request.query.get('fieldManager')
  if (!fieldManager) {
    const options = { plural: '', group: 'meta.k8s.io', kind: 'PatchOptions' }
    throw failure.invalid(options, '', [failure.requiredValue('fieldManager', 'is required for apply patch')])
  }
  if (!isMap(body) || !body.apiVersion || !body.kind) {
    throw failure.badRequest("error decoding YAML: Object 'Kind' is missing")
  }
  const config = asObject(call, body)
  if (config.metadata.managedFields) throw failure.badRequest('metadata.managedFields must be nil')
  const live = plane.store.get(idOf(type), namespace, name)
  const manager = { name: fieldManager, operation: 'Apply' as const, apiVersion: apiVersionOf(type), subresource }
  // a manager can own only fields that this endpoint writes
  if (subresource === 'status') for (const field of Object.keys(config)) dropForStatus(config, field)
  else if (type.subresources.includes('status')) delete config.status
  const force = ['true', '1'].includes(request.query.get('force') ?? '')
  const merged = applyConfig(live, config, { manager, force, builtin: type.builtin, now: now(plane) })
  const options = { manager, owned: true, dryRun: isDryRun(call) }
  if (live) return answerObject(call, await admitAndUpdate(call, merged, live, options))
  if (subresource) throw failure.notFound(type, name)
  if (config.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${config.metadata.uid}, UID in object meta: `
    throw failure.conflict(type, name, why)
  }
  const wanted = { verb: 'create', group: type.group, resource: type.plural, namespace, name }
  if (!mayAccess(plane, user, wanted)) throw refusal(user, type, wanted)
  merged.metadata.name = name
  if (namespace) merged.metadata.namespace = namespace
  return answerObject(call, await admitAndCreate(call, merged, options), 201)
}

function dropForStatus(config: KubeObject, field: string): void {
  if (!['apiVersion', 'kind', 'metadata', 'status'].includes(field)) delete config[field]
  const { name, namespace } = config.metadata
  config.metadata = { name, ...(namespace ? { namespace } : {}) }
}
