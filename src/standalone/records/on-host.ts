/** Federations that one host has: by name, by uuid, half-made ones too. */
import { parseBounded } from '../../core/bounded-json.ts'
import { type CoeError, conflict } from '../../core/errors.ts'
import { record, text } from '../../core/shape.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import type { KubeObject } from '../../kube/api/object.ts'
import { labelSelector } from '../../kube/api/selector.ts'
import { endingOf } from '../federations/ending.ts'
import {
  askedAnnotation,
  configMapKind,
  defaultNamespace,
  federationLabel,
  looksLikeUuid,
  namespaceRef,
  recordLabel,
  recordName,
  uuidLabel,
} from './names.ts'
import { type FederationRecord, parseRecord, readRecord } from './record.ts'

/** A federation, and the host that has its record. */
export interface Located {
  record: FederationRecord
  /** A cluster reference. */
  reference: string
  host: ClusterApi
}

/** In the details of the error: everybody was asked. Another thing that was not found says nothing of a federation. */
export const noFederation = { not_found: 'federation' } as const

export const severalThere = (ref: string, one: FederationRecord, other: FederationRecord): CoeError =>
  conflict(`there are several federations "${ref}" on this host: in ${one.namespace} and ${other.namespace}`, {
    hint: 'say which one with --namespace',
  })

/** In its own namespace, or in whichever it was put; half-made ones too, of which there is but a namespace. */
export async function onHost(
  host: ClusterApi,
  ref: string,
  namespace: string | undefined,
  signal: AbortSignal,
  /** Gets the names of all that it has, for a search in vain. */
  names?: Set<string>,
): Promise<FederationRecord | undefined> {
  if (!looksLikeUuid(ref)) {
    const here = await readRecord(host, namespace ?? defaultNamespace(ref), signal)
    if (here?.name === ref) return here
  }
  const label = looksLikeUuid(ref) ? uuidLabel : federationLabel
  const objects = await recordObjects(host, names ? {} : { [label]: ref }, namespace, signal)
  for (const { metadata } of objects) names?.add(metadata.labels?.[federationLabel] ?? '')
  // one of another name that cannot be read is no reason not to find this one
  const [found, another] = objects.filter(object => object.metadata.labels?.[label] === ref).map(parseRecord)
  if (found && another) throw severalThere(ref, found, another)
  if (found) return found
  const byUuid = looksLikeUuid(ref)
  if (byUuid && namespace === undefined) return undefined
  const bare = await withoutRecord(host, namespace ?? defaultNamespace(ref), signal)
  return (byUuid ? bare?.uuid : bare?.name) === ref ? bare : undefined
}

export async function listRecords(
  host: ClusterApi,
  labels: Readonly<Record<string, string>>,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<FederationRecord[]> {
  return (await recordObjects(host, labels, namespace, signal)).map(parseRecord)
}

async function recordObjects(
  host: ClusterApi,
  labels: Readonly<Record<string, string>>,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<KubeObject[]> {
  const selection = { labels: labelSelector({ ...labels, [recordLabel]: 'federation' }), namespace, signal }
  return (await host.list(configMapKind, selection)).items
}

/** Half made, by a run that ended between the namespace and the record in it; or half deleted: the record goes first. */
export async function withoutRecord(
  host: ClusterApi,
  namespace: string,
  signal: AbortSignal,
): Promise<FederationRecord | undefined> {
  const live = await host.get(namespaceRef(namespace), { signal })
  const uuid = live?.metadata.labels?.[uuidLabel]
  const name = live?.metadata.labels?.[federationLabel]
  if (!live || uuid === undefined || name === undefined) return undefined
  const { labels, creationTimestamp } = live.metadata
  const asked = parseRecord({
    ...configMapKind,
    metadata: {
      name: recordName,
      namespace,
      ...(labels ? { labels } : {}),
      ...(creationTimestamp ? { creationTimestamp } : {}),
    },
    data: askedOf(live),
  })
  return { ...asked, contextName: name, host: { ...asked.host, reference: host.name }, ending: endingOf(live) }
}

/** What the run that made the namespace wanted in the record; nothing where an older coe made it, or its data were kept. */
function askedOf({ metadata }: KubeObject): Record<string, string> {
  try {
    const asked: unknown = parseBounded(metadata.annotations?.[askedAnnotation] ?? '{}')
    return record(text)(asked) === undefined ? (asked as Record<string, string>) : {}
  } catch {
    return {}
  }
}
