/**
 * The lists that are merged item by item, and the atomic maps. Real servers read this from their types; field names are
 * enough here, because they mean the same across the built-in kinds.
 */
export type ListRule = { kind: 'map'; keys: string[] } | { kind: 'set' } | { kind: 'atomic' }

const atomic: ListRule = { kind: 'atomic' }
const byName: ListRule = { kind: 'map', keys: ['name'] }

const lists: Record<string, ListRule> = {
  containers: byName,
  initContainers: byName,
  ephemeralContainers: byName,
  env: byName,
  volumes: byName,
  imagePullSecrets: byName,
  webhooks: byName,
  secrets: byName,
  volumeMounts: { kind: 'map', keys: ['mountPath'] },
  volumeDevices: { kind: 'map', keys: ['devicePath'] },
  hostAliases: { kind: 'map', keys: ['ip'] },
  topologySpreadConstraints: { kind: 'map', keys: ['topologyKey', 'whenUnsatisfiable'] },
  conditions: { kind: 'map', keys: ['type'] },
  ownerReferences: { kind: 'map', keys: ['uid'] },
  finalizers: { kind: 'set' },
}

/** `parent` is the field that holds the object that holds the list. */
export function listRule(builtin: boolean, parent: string | undefined, field: string): ListRule {
  if (field === 'finalizers' || field === 'ownerReferences') return lists[field] as ListRule
  if (!builtin) return atomic
  if (field === 'ports') {
    return { kind: 'map', keys: [isContainerList(parent) ? 'containerPort' : 'port', 'protocol'] }
  }
  return lists[field] ?? atomic
}

const isContainerList = (parent: string | undefined) => parent !== undefined && /ontainers$/.test(parent)

const atomicMaps = new Set([
  'selector',
  'labelSelector',
  'nodeSelector',
  'namespaceSelector',
  'objectSelector',
  'roleRef',
  'secretKeyRef',
  'configMapKeyRef',
  'fieldRef',
  'resourceFieldRef',
  'claimRef',
  'secretRef',
])
/** `openAPIV3Schema` and the like are large and have one owner, since the versions of a CRD are an atomic list anyway. */
export const isAtomicMap = (builtin: boolean, field: string): boolean => builtin && atomicMaps.has(field)

/** Keys of list items with a default, which an applied configuration may omit. */
export const keyDefaults: Record<string, string> = { protocol: 'TCP' }
