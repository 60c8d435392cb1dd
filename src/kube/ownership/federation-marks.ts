/**
 * What federations made from kubeconfigs leave on clusters: records on their hosts, a marker on each member. Whoever wants
 * to delete such a cluster looks for them first, whatever made it.
 */
import { awaitAll } from '../../core/concurrency.ts'
import type { ClusterApi, RequestLimits } from '../api/cluster-api.ts'
import { isForbidden } from '../api/errors.ts'
import type { Kind, KubeObject } from '../api/object.ts'

export const federationLabel = 'coe/federation'
export const uuidLabel = 'coe/federation-uuid'
/** On records alone: `federation`, `member`; and on markers: `membership`. */
export const recordLabel = 'coe/record'
export const recordName = 'coe-federation'
/** In the kube-system of each member. */
export const markerName = 'coe-membership'
export const markerNamespace = 'kube-system'

const configMap: Kind = { apiVersion: 'v1', kind: 'ConfigMap' }

export interface Hosting {
  federation: string
  uuid: string
  namespace: string
}

export interface Membership {
  federation: string
  uuid: string
  /** Its name there. */
  member: string
  /** A reference to its host that means the same everywhere, such as `magnum:prod`; else empty (earlier versions: a context). */
  host: string
}

export interface FederationMarks {
  /** Undefined: who asks may not know. */
  hosts: Hosting[] | undefined
  member: Membership | undefined
}

/** One request to whoever may list everywhere; to others the marker alone is told. */
export async function readMarks(api: ClusterApi, limits: RequestLimits): Promise<FederationMarks> {
  const labels = `${recordLabel} in (federation,membership)`
  try {
    const { items } = await api.list(configMap, { labels, ...limits })
    return { hosts: items.filter(isRecord).map(hosting), member: items.filter(isMarker).map(membership)[0] }
  } catch (error) {
    if (!isForbidden(error)) throw error
    const marker = await api.get({ ...configMap, name: markerName, namespace: markerNamespace }, limits)
    return { hosts: undefined, member: marker && isMarker(marker) ? membership(marker) : undefined }
  }
}

/**
 * The same for whoever may read nothing else than what has these names. A refusal of both is an error: nothing was seen.
 */
export async function readMarksByName(
  api: ClusterApi,
  limits: RequestLimits,
): Promise<FederationMarks & { all: boolean }> {
  const refused = (error: unknown) => {
    if (isForbidden(error)) return error as Error
    throw error
  }
  const [hosts, marker] = await awaitAll([
    api.list(configMap, { fields: `metadata.name=${recordName}`, ...limits }).catch(refused),
    api.get({ ...configMap, name: markerName, namespace: markerNamespace }, limits).catch(refused),
  ])
  if (hosts instanceof Error && marker instanceof Error) throw marker
  return {
    hosts: hosts instanceof Error ? undefined : hosts.items.filter(isRecord).map(hosting),
    member: marker instanceof Error || !marker || !isMarker(marker) ? undefined : membership(marker),
    all: !(hosts instanceof Error) && !(marker instanceof Error),
  }
}

/** Anybody may put a label on something of his own: name and place count as well. */
const isRecord = ({ metadata }: KubeObject): boolean =>
  metadata.name === recordName && metadata.labels?.[recordLabel] === 'federation'

const isMarker = ({ metadata }: KubeObject): boolean =>
  metadata.name === markerName &&
  metadata.namespace === markerNamespace &&
  metadata.labels?.[recordLabel] === 'membership'

const hosting = ({ metadata }: KubeObject): Hosting => ({
  federation: metadata.labels?.[federationLabel] ?? '',
  uuid: metadata.labels?.[uuidLabel] ?? '',
  namespace: metadata.namespace ?? '',
})

const membership = ({ metadata, data = {} }: KubeObject): Membership => ({
  federation: data.federation ?? metadata.labels?.[federationLabel] ?? '',
  uuid: data.uuid ?? metadata.labels?.[uuidLabel] ?? '',
  member: data.member ?? '',
  host: data.host ?? '',
})
