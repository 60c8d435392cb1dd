import { isMap, type Json, type KubeObject } from './object.ts'
import type { Store } from './store.ts'

export interface SnapshotEntry {
  /** `deployments.apps default/web` */
  key: string
  object: Json
}

const passing = new Set(['events', 'leases.coordination.k8s.io'])
const volatileFields = new Set([
  ...['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'generation', 'deletionTimestamp'],
  ...['lastTransitionTime', 'lastUpdateTime', 'lastHeartbeatTime', 'startTime', 'startedAt', 'finishedAt'],
  ...['completionTime', 'timeAdded', 'observedGeneration', 'schedulerObservedGeneration', 'restartCount', 'lastState'],
  ...['podIP', 'podIPs', 'clusterIP', 'clusterIPs', 'nodePort', 'volumeName', 'caBundle', 'ip'],
])

/** Patterns of texts that differ from run to run. */
const volatileTexts: [RegExp, string][] = [
  [/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----\n?/g, '<pem>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  [/\b127\.\d+\.\d+\.(\d+)(:\d+)?/g, '127.*.*.$1'],
  [/\b[0-9a-f]{32,}\b/g, '<hash>'],
  [/(^|-)[0-9a-f]{10}\b/g, '$1<hash>'],
]
const neutral = (text: string) => volatileTexts.reduce((t, [what, instead]) => t.replace(what, instead), text)

/**
 * The data of a server in a form that is equal in two runs: without identities, times, versions, addresses and random
 * names, and only with the keys of Secrets. Leaves out Events and Leases, which are transient.
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
  if (metadata.generateName) return neutral(`${prefix}${metadata.generateName}*`)
  if (id === 'persistentvolumes') return `*${spec?.claimRef?.namespace}/${spec?.claimRef?.name}`
  return neutral(prefix + metadata.name)
}

function strip(id: string, object: KubeObject): Json {
  const metadata: Json = { ...object.metadata }
  if (metadata.generateName || id === 'persistentvolumes') delete metadata.name
  const rest: Json = { ...object, metadata }
  if (id === 'secrets') {
    const keys = Object.keys(object.data ?? {}).sort()
    rest.data = Object.fromEntries(keys.map(key => [key, '***']))
  }
  return steady(rest)
}

function steady(value: Json): Json {
  if (typeof value === 'string') return neutral(value)
  if (Array.isArray(value)) return value.map(steady)
  if (!isMap(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !volatileFields.has(key))
      .map(([key, inner]) => [neutral(key), steady(inner)]),
  )
}
