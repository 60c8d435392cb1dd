/** A Kubernetes object as it is on the wire: nothing is parsed into Dates, and no unknown field is lost. */

export interface ObjectMeta {
  name?: string
  generateName?: string
  namespace?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string
  deletionTimestamp?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string; [field: string]: unknown }[]
  managedFields?: ManagedFields[]
  [field: string]: unknown
}

export interface ManagedFields {
  manager?: string
  operation?: 'Apply' | 'Update'
  subresource?: string
  fieldsV1?: Record<string, unknown>
  [field: string]: unknown
}

/** Which kind: enough to list it. */
export interface Kind {
  apiVersion: string
  kind: string
}

export interface KubeObject extends Kind {
  metadata: ObjectMeta
  // biome-ignore lint/suspicious/noExplicitAny: what is below is the API's, and differs by kind and version
  [field: string]: any
}

/** One object, by name. */
export interface ObjectRef extends Kind {
  name: string
  namespace?: string | undefined
}

export interface KubeList<T extends KubeObject = KubeObject> {
  items: T[]
  /** Where a watch goes on from. */
  resourceVersion: string
}

export const refOf = (object: KubeObject): ObjectRef => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  name: object.metadata.name ?? '',
  namespace: object.metadata.namespace,
})

/** `Deployment coe-fed-x/etcd`, `Namespace coe-fed-x`: how people are told of it. */
export const refText = (ref: ObjectRef): string =>
  ref.namespace ? `${ref.kind} ${ref.namespace}/${ref.name}` : `${ref.kind} ${ref.name}`

/** The same object in the same API group, whatever the version. */
export const refKey = (ref: ObjectRef): string =>
  `${groupOf(ref.apiVersion)}/${ref.kind}/${ref.namespace ?? ''}/${ref.name}`

export const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''

export interface Condition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
  /** Of the object, as the controller saw it. */
  observedGeneration?: number
}

/** Those of kinds that we do not know may be kept in another way. */
export const conditionsOf = ({ status }: KubeObject): Condition[] => {
  const found: unknown = status?.conditions
  return Array.isArray(found) ? found.filter(c => typeof c?.type === 'string') : []
}

export const conditionOf = (object: KubeObject, type: string): Condition | undefined =>
  conditionsOf(object).find(c => c.type === type)

export const isTrue = (object: KubeObject, type: string): boolean => conditionOf(object, type)?.status === 'True'

/** The value of a Secret or ConfigMap's binary data, as text. */
export const decoded = (secret: KubeObject | undefined, key: string): string | undefined => {
  const value = secret?.data?.[key] as string | undefined
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8')
}

// not the text itself: in a dry run it may be something that only stands for one (plan/unknown.ts)
export const base64 = (text: string): string => Buffer.from(`${text}`, 'utf8').toString('base64')
