import { isMap, type Json, type KubeObject } from './object.ts'
import type { Store } from './store.ts'

export interface SnapshotEntry {
  /** `deployments.apps default/web` */
  key: string
  object: Json
}

const passing = new Set(['events', 'leases.coordination.k8s.io'])
const volatileMeta = ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'generation', 'deletionTimestamp']
const volatileFields = new Set([
  'lastTransitionTime',
  'lastUpdateTime',
  'lastHeartbeatTime',
  'startTime',
  'startedAt',
  'finishedAt',
  'completionTime',
  'uid',
  'resourceVersion',
  'observedGeneration',
  'podIP',
  'podIPs',
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'restartCount',
  'lastState',
  'volumeName',
  'caBundle',
  'ip',
])

/**
 * All that a server holds, in an order and form that two runs share: no identities, times, versions or random names, and of
 * Secrets only the names of what they hold. Events and Leases are left out: they pass.
 */
export function snapshotOf(store: Store): SnapshotEntry[] {
  const entries: SnapshotEntry[] = []
  for (const id of store.ids()) {
    if (passing.has(id)) continue
    for (const object of store.list(id)) entries.push({ key: `${id} ${nameOf(id, object)}`, object: strip(id, object) })
  }
  return entries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}

function nameOf(id: string, { metadata, spec }: KubeObject): string {
  const prefix = metadata.namespace ? `${metadata.namespace}/` : ''
  if (metadata.generateName) return `${prefix}${metadata.generateName}*`
  if (id === 'persistentvolumes') return `*${spec?.claimRef?.namespace}/${spec?.claimRef?.name}`
  return prefix + metadata.name
}

function strip(id: string, object: KubeObject): Json {
  const metadata: Json = { ...object.metadata }
  for (const field of volatileMeta) delete metadata[field]
  if (metadata.generateName) delete metadata.name
  if (id === 'persistentvolumes') delete metadata.name
  if (metadata.ownerReferences)
    metadata.ownerReferences = metadata.ownerReferences.map(({ uid, ...owner }: Json) => owner)
  const rest: Json = { ...object, metadata }
  if (id === 'secrets')
    rest.data = Object.fromEntries(
      Object.keys(object.data ?? {})
        .sort()
        .map(key => [key, '***']),
    )
  return { ...without(rest), metadata: withoutUidAnnotations(metadata) }
}

function withoutUidAnnotations(metadata: Json): Json {
  if (!metadata.annotations) return metadata
  const kept = Object.entries(metadata.annotations).filter(([key]) => !key.endsWith('service-account.uid'))
  return { ...metadata, annotations: Object.fromEntries(kept) }
}

function without(value: Json): Json {
  if (Array.isArray(value)) return value.map(without)
  if (!isMap(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !volatileFields.has(key))
      .map(([key, inner]) => [key, without(inner)]),
  )
}
