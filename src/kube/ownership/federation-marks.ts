/**
 * The marks that federations made from kubeconfigs leave on clusters: records on their hosts, a marker on each member. Everything
 * that deletes such a cluster looks for them first.
 */
import { awaitAll } from '../../core/concurrency.ts'
import type { ClusterApi, RequestLimits } from '../api/cluster-api.ts'
import { isForbidden } from '../api/errors.ts'
import type { Kind, KubeObject } from '../api/object.ts'

export const federationLabel = 'coe/federation'
export const uuidLabel = 'coe/federation-uuid'
/** Its values: `federation` and `member` on records, `membership` on markers. */
export const recordLabel = 'coe/record'
export const recordName = 'coe-federation'
/** The marker in kube-system of each member. */
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
  /** The cluster's name in the federation. */
  member: string
  /** A reference to the host that means the same on every machine, such as `magnum:prod`; otherwise empty. Earlier versions wrote a context. */
  host: string
}

export interface FederationMarks {
  /** Undefined if the user may not list them. */
  hosts: Hosting[] | undefined
  member: Membership | undefined
}

/** Sends one request if the user may list ConfigMaps everywhere; otherwise reads the marker only. */
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

/** The same for users who may read only objects with these names. Throws if both reads are refused. */
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

/** Any user can put the label on another object, so the name is checked as well, and the namespace of markers. */
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
