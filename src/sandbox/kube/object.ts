/** Kubernetes objects in the simulated servers: plain JSON, never changed in place once stored. */

// biome-ignore lint/suspicious/noExplicitAny: the schema of an object is the caller's, not ours
export type Json = any

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export interface ManagedFieldsEntry {
  manager: string
  operation: 'Apply' | 'Update'
  apiVersion: string
  time?: string
  fieldsType: 'FieldsV1'
  fieldsV1: Json
  subresource?: string
}

export interface Metadata {
  name: string
  namespace?: string
  generateName?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: OwnerReference[]
  managedFields?: ManagedFieldsEntry[]
}

export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: Metadata
  [field: string]: Json
}

export const isMap = (value: unknown): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Deep equality of JSON values: ignores the order of keys, and treats undefined as absent. */
export function same(a: Json, b: Json): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]))
  }
  if (!isMap(a) || !isMap(b)) return false
  for (const key of Object.keys(a)) if (!same(a[key], b[key])) return false
  for (const key of Object.keys(b)) if (b[key] !== undefined && a[key] === undefined) return false
  return true
}

export const copy = <T>(value: T): T => structuredClone(value)

/** A time in the format of objects: full seconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

/** `default/web`, or the bare name of an object without a namespace. */
export const keyOf = (namespace: string | undefined, name: string): string =>
  namespace ? `${namespace}/${name}` : name
