/** A Kubernetes object as it is on the wire: times stay text, and unknown fields are kept. */

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

/** A kind of objects: enough to list them. */
export interface Kind {
  apiVersion: string
  kind: string
}

export interface KubeObject extends Kind {
  metadata: ObjectMeta
  // biome-ignore lint/suspicious/noExplicitAny: the other fields differ by kind and version
  [field: string]: any
}

/** One object, by name. */
export interface ObjectRef extends Kind {
  name: string
  namespace?: string | undefined
}

export interface KubeList<T extends KubeObject = KubeObject> {
  items: T[]
  /** The version from which a watch can continue. */
  resourceVersion: string
}

export const refOf = (object: KubeObject): ObjectRef => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  name: object.metadata.name ?? '',
  namespace: object.metadata.namespace,
})

/** The object's name in messages: `Deployment coe-fed-x/etcd`, `Namespace coe-fed-x`. */
export const refText = (ref: ObjectRef): string =>
  ref.namespace ? `${ref.kind} ${ref.namespace}/${ref.name}` : `${ref.kind} ${ref.name}`

/** A key for the object, the same for every version of its API group. */
export const refKey = (ref: ObjectRef): string =>
  `${groupOf(ref.apiVersion)}/${ref.kind}/${ref.namespace ?? ''}/${ref.name}`

export const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''

export interface Condition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
  /** The generation of the object that the controller has handled. */
  observedGeneration?: number
}

/** Empty for kinds that store conditions in another form. */
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

// `${text}` and not `text`: in a dry run it may be an Unknown (plan/unknown.ts)
export const base64 = (text: string): string => Buffer.from(`${text}`, 'utf8').toString('base64')
