import { randomUUID } from 'node:crypto'
import { type Manager, ownershipAfterUpdate } from './change/managed-fields.ts'
import { schemaProblems } from './change/schema-check.ts'
import { type ControlPlane, now, randomSuffix } from './control-plane.ts'
import * as failure from './failure.ts'
import { kindRules } from './kinds/index.ts'
import { metadataProblems } from './names.ts'
import { copy, type KubeObject, same, timestamp } from './object.ts'
import { idOf, type ResourceType } from './resource-types.ts'

export interface WriteOptions {
  /** The writer, for managedFields. Absent: a controller, which owns nothing. */
  manager?: Manager | undefined
  dryRun?: boolean | undefined
  /** `status`: only the status changes; `finalize`: a namespace's spec.finalizers. */
  subresource?: string | undefined
  /** managedFields are already determined (server-side apply). */
  owned?: boolean | undefined
}

const hasGeneration = (type: ResourceType) => kindRules[idOf(type)]?.generation === true || !type.builtin
const hasStatus = (type: ResourceType) => type.subresources.includes('status')

export function getObject(
  plane: ControlPlane,
  type: ResourceType,
  namespace: string | undefined,
  name: string,
): KubeObject {
  const found = plane.store.get(idOf(type), namespace, name)
  if (!found) throw failure.notFound(type, name)
  return found
}

/** Refuses an object in a missing or terminating namespace. */
function requireNamespace(plane: ControlPlane, type: ResourceType, namespace: string | undefined, name: string): void {
  if (!type.namespaced) return
  const found = plane.store.get('namespaces', undefined, namespace ?? '')
  if (!found) throw failure.notFound({ plural: 'namespaces', group: '', kind: 'Namespace' }, namespace ?? '')
  if (!found.metadata.deletionTimestamp) return
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  throw failure.forbidden(type, name, why, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ])
}

function check(plane: ControlPlane, type: ResourceType, object: KubeObject, old: KubeObject | undefined): void {
  const id = idOf(type)
  const own = type.builtin ? (kindRules[id]?.validate?.(object, old, plane) ?? []) : schemaProblems(plane, type, object)
  const causes = [...metadataProblems(id, object.metadata), ...own]
  if (causes.length > 0) throw failure.invalid(type, object.metadata.name ?? '', causes)
}

export function createObject(
  plane: ControlPlane,
  type: ResourceType,
  given: KubeObject,
  options: WriteOptions = {},
): KubeObject {
  const id = idOf(type)
  const object = copy(given)
  const { metadata } = object
  if (!metadata.name && metadata.generateName) metadata.name = `${metadata.generateName}${randomSuffix()}`
  requireNamespace(plane, type, metadata.namespace, metadata.name)
  if (!type.namespaced) delete metadata.namespace
  const owned = metadata.managedFields
  for (const field of ['resourceVersion', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const)
    delete metadata[field]
  metadata.uid = randomUUID()
  metadata.creationTimestamp = now(plane)
  if (hasGeneration(type)) metadata.generation = 1
  if (hasStatus(type)) delete object.status
  kindRules[id]?.prepare?.(object, undefined, plane)
  for (const admit of plane.admit) admit('CREATE', id, object, undefined)
  check(plane, type, object, undefined)
  if (plane.store.get(id, metadata.namespace, metadata.name)) throw failure.alreadyExists(type, metadata.name)
  if (options.owned && owned) metadata.managedFields = owned
  else if (options.manager) {
    delete metadata.managedFields
    const managed = ownershipAfterUpdate(undefined, sentPart(object, type), options.manager, type.builtin, now(plane))
    if (managed.length > 0) metadata.managedFields = managed
  }
  return options.dryRun ? object : plane.store.put(id, object)
}

/** The part of an object that a creator may set; controllers set the status. */
function sentPart(object: KubeObject, type: ResourceType): KubeObject {
  const { status, ...rest } = object
  if (idOf(type) === 'namespaces') delete rest.spec
  return (hasStatus(type) ? rest : object) as KubeObject
}

export function updateObject(
  plane: ControlPlane,
  type: ResourceType,
  given: KubeObject,
  options: WriteOptions = {},
): KubeObject {
  const id = idOf(type)
  const { namespace, name } = given.metadata
  const old = getObject(plane, type, namespace, name)
  if (given.metadata.resourceVersion && given.metadata.resourceVersion !== old.metadata.resourceVersion) {
    throw failure.modified(type, name)
  }
  if (given.metadata.uid && given.metadata.uid !== old.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${given.metadata.uid}, UID in object meta: ${old.metadata.uid}`
    throw failure.conflict(type, name, why)
  }
  const object = restrict(copy(given), old, type, options.subresource)
  keepIdentity(object, old)
  refuseNewFinalizers(type, object, old)
  if (options.subresource === undefined) {
    kindRules[id]?.prepare?.(object, old, plane)
    for (const admit of plane.admit) admit('UPDATE', id, object, old)
    check(plane, type, object, old)
  }
  if (hasGeneration(type)) {
    const before = old.metadata.generation ?? 1
    object.metadata.generation = sameSpec(object, old) ? before : before + 1
  }
  if (options.manager && !options.owned) {
    const manager = { ...options.manager, subresource: options.subresource }
    const managed = ownershipAfterUpdate(old, object, manager, type.builtin, now(plane))
    if (managed.length > 0) object.metadata.managedFields = managed
    else delete object.metadata.managedFields
  } else if (!options.owned && old.metadata.managedFields) object.metadata.managedFields = old.metadata.managedFields
  if (same(object, old)) return old
  if (options.dryRun) return object
  if (isFinished(object)) {
    plane.store.put(id, object)
    plane.store.remove(id, namespace, name)
    return object
  }
  return plane.store.put(id, object)
}

/** An object that is being deleted can only lose finalizers. */
function refuseNewFinalizers(type: ResourceType, { metadata }: KubeObject, old: KubeObject): void {
  if (!old.metadata.deletionTimestamp) return
  const more = (metadata.finalizers ?? []).filter(f => !old.metadata.finalizers?.includes(f))
  if (more.length === 0) return
  const found = more.map(f => JSON.stringify(f)).join(', ')
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${found}}`
  throw failure.invalid(type, metadata.name, [{ reason: 'FieldValueForbidden', message, field: 'metadata.finalizers' }])
}

/** Of an object sent to a subresource only that part counts; of one sent to the main resource, all but the status. */
function restrict(
  object: KubeObject,
  old: KubeObject,
  type: ResourceType,
  subresource: string | undefined,
): KubeObject {
  if (subresource === 'status') {
    return {
      ...old,
      metadata: { ...old.metadata, managedFields: object.metadata.managedFields ?? [] },
      status: object.status,
    }
  }
  if (subresource === 'finalize') return { ...old, metadata: { ...old.metadata }, spec: object.spec }
  if (hasStatus(type)) {
    if (old.status === undefined) delete object.status
    else object.status = copy(old.status)
  }
  return object
}

function keepIdentity(object: KubeObject, old: KubeObject): void {
  const { metadata } = object
  metadata.uid = old.metadata.uid as string
  metadata.creationTimestamp = old.metadata.creationTimestamp as string
  metadata.resourceVersion = old.metadata.resourceVersion as string
  for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'generateName'] as const) {
    if (old.metadata[field] === undefined) delete metadata[field]
    else Object.assign(metadata, { [field]: old.metadata[field] })
  }
  object.apiVersion = object.apiVersion ?? old.apiVersion
  object.kind = object.kind ?? old.kind
}

function sameSpec(a: KubeObject, b: KubeObject): boolean {
  const rest = ({ metadata, status, apiVersion, ...others }: KubeObject) => others
  return same(rest(a), rest(b)) && a.metadata.deletionTimestamp === b.metadata.deletionTimestamp
}

/** Whether an object is marked for deletion and nothing holds it any more. */
const isFinished = (object: KubeObject) =>
  object.metadata.deletionTimestamp !== undefined &&
  !object.metadata.finalizers?.length &&
  !(object.kind === 'Namespace' && object.spec?.finalizers?.length) &&
  !(object.metadata.deletionGracePeriodSeconds ?? 0)

/** The finalizer of a deleted definition, whose objects are deleted first. */
export const definitionCleanup = 'customresourcecleanup.apiextensions.k8s.io'

export interface DeleteOptions {
  uid?: string | undefined
  resourceVersion?: string | undefined
  propagationPolicy?: string | undefined
  gracePeriodSeconds?: number | undefined
  dryRun?: boolean | undefined
}

/** Returns the object while it waits for its finalizers, or undefined once it is gone. */
export function deleteObject(
  plane: ControlPlane,
  type: ResourceType,
  namespace: string | undefined,
  name: string,
  options: DeleteOptions = {},
): { old: KubeObject; left: KubeObject | undefined } {
  const id = idOf(type)
  const old = getObject(plane, type, namespace, name)
  checkPreconditions(old, options)
  if (id === 'namespaces' && ['default', 'kube-system', 'kube-public'].includes(name)) {
    throw failure.forbidden(type, name, 'this namespace may not be deleted')
  }
  const object = copy(old)
  const { metadata } = object
  const finalizer = { Foreground: 'foregroundDeletion', Orphan: 'orphan' }[options.propagationPolicy ?? '']
  const definition = id === 'customresourcedefinitions.apiextensions.k8s.io' ? definitionCleanup : undefined
  for (const held of [finalizer, definition]) {
    if (held && !metadata.deletionTimestamp) metadata.finalizers = [...new Set([...(metadata.finalizers ?? []), held])]
  }
  const grace = id === 'pods' ? graceOf(object, options) : 0
  const pending = (metadata.finalizers?.length ?? 0) > 0 || (id === 'namespaces' && object.spec?.finalizers?.length > 0)
  if (!pending && grace === 0) {
    if (!options.dryRun) plane.store.remove(id, namespace, name)
    return { old, left: undefined }
  }
  if (metadata.deletionTimestamp && (metadata.deletionGracePeriodSeconds ?? 0) <= grace) return { old, left: old }
  metadata.deletionTimestamp ??= timestamp(plane.wallNow() + grace * 1000)
  metadata.deletionGracePeriodSeconds = grace
  if (metadata.generation !== undefined && !old.metadata.deletionTimestamp) metadata.generation += 1
  if (id === 'namespaces') {
    delete metadata.deletionGracePeriodSeconds
    object.status = { ...object.status, phase: 'Terminating' }
  }
  return { old, left: options.dryRun ? object : plane.store.put(id, object) }
}

function checkPreconditions(old: KubeObject, options: DeleteOptions): void {
  const { name, uid, resourceVersion } = old.metadata
  const named = { plural: old.kind, group: '', kind: old.kind }
  if (options.uid && options.uid !== uid) {
    const why = `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`
    throw failure.conflict(named, name, why)
  }
  if (options.resourceVersion && options.resourceVersion !== resourceVersion) {
    const why = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`
    throw failure.conflict(named, name, why)
  }
}

/** A pod without a node or one that has ended is deleted without a grace period. */
function graceOf(pod: KubeObject, options: DeleteOptions): number {
  if (!pod.spec?.nodeName || ['Succeeded', 'Failed'].includes(pod.status?.phase)) return 0
  return options.gracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30
}
