/** The record of a member on the host, and the marker on the member itself. */

import { parseBounded } from '../../core/bounded-json.ts'
import { fallbackOn } from '../../core/errors.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { isForbidden } from '../../kube/api/errors.ts'
import type { KubeObject, ObjectRef } from '../../kube/api/object.ts'
import { labelSelector } from '../../kube/api/selector.ts'
import { uuidLabel } from '../../kube/ownership/federation-marks.ts'
import { grantMarksAccess, marksRoleName, revokeMarksAccess } from '../../kube/ownership/marks-access.ts'
import { sharedReference } from '../../model/member-request.ts'
import { type MemberSettings, memberSettingsShape } from '../../model/member-settings.ts'
import {
  configMapKind,
  labelsOf,
  markerName,
  markerNamespace,
  memberRecordName,
  recordLabel,
} from '../records/names.ts'

export interface MemberRecord {
  /** Its name in the federation, fixed when it joined. */
  name: string
  /** Identifies the cluster. */
  uid: string
  /** Its reference on this machine: a context, `magnum:prod`. The record keeps it only if it means the same everywhere. */
  reference: string
  server: string
  /** As stated when it joined; a later join keeps what it does not state. */
  settings: MemberSettings
  state: 'joining' | 'joined' | 'leaving'
  joinedAt: string
}

export interface Place {
  name: string
  uuid: string
  namespace: string
}

const refTo = (place: Place, member: string): ObjectRef => ({
  ...configMapKind,
  name: memberRecordName(member),
  namespace: place.namespace,
})

export function parseMember({ data = {} }: KubeObject): MemberRecord {
  return {
    name: data.name ?? '',
    uid: data.uid ?? '',
    reference: data.reference ?? '',
    server: data.server ?? '',
    settings: settingsIn(data.said),
    state: data.state === 'joined' || data.state === 'leaving' ? data.state : 'joining',
    joinedAt: data['joined-at'] ?? '',
  }
}

/** A record that was edited by hand may be unreadable: its settings are empty then. */
function settingsIn(json: string | undefined): MemberSettings {
  try {
    const settings: unknown = json === undefined ? {} : parseBounded(json)
    return memberSettingsShape(settings) === undefined ? (settings as MemberSettings) : {}
  } catch {
    return {}
  }
}

export async function listMembers(host: ClusterApi, place: Place, signal: AbortSignal): Promise<MemberRecord[]> {
  const labels = labelSelector({ ...labelsOf(place.name, place.uuid), [recordLabel]: 'member' })
  const { items } = await host.list(configMapKind, { namespace: place.namespace, labels, signal })
  return items.map(parseMember).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Call it only under the federation's lock; the record's name is made from the member's, so each member has one. */
export async function writeMember(
  host: ClusterApi,
  place: Place,
  member: MemberRecord,
  run: string,
  signal: AbortSignal,
): Promise<void> {
  await host.apply(
    {
      ...configMapKind,
      metadata: {
        name: memberRecordName(member.name),
        namespace: place.namespace,
        labels: { ...labelsOf(place.name, place.uuid), [recordLabel]: 'member' },
        annotations: { 'coe/run': run },
      },
      data: {
        name: member.name,
        uid: member.uid,
        ...(sharedReference(member.reference) === undefined ? {} : { reference: member.reference }),
        server: member.server,
        said: JSON.stringify(member.settings),
        state: member.state,
        'joined-at': member.joinedAt,
      },
    },
    { signal },
  )
}

export const deleteMember = (host: ClusterApi, place: Place, member: string, signal: AbortSignal): Promise<boolean> =>
  host.delete(refTo(place, member), { signal })

/** Lies in the member's kube-system and warns users who delete the cluster. It names the host only if that name means the same elsewhere. */
export const marker = (place: Place, member: string, host: string | undefined): KubeObject => ({
  ...configMapKind,
  metadata: {
    name: markerName,
    namespace: markerNamespace,
    labels: { ...labelsOf(place.name, place.uuid), [recordLabel]: 'membership' },
  },
  data: { federation: place.name, uuid: place.uuid, member, ...(host === undefined ? {} : { host }) },
})

/** Lets users who are not administrators of the cluster read its marker before they delete it. */
export async function grantMarkerAccess(member: ClusterApi, place: Place, signal: AbortSignal): Promise<void> {
  const ref: ObjectRef = { ...configMapKind, name: markerName, namespace: markerNamespace }
  const live = await member.get(ref, { signal }).catch(fallbackOn('denied', undefined))
  const owner = live?.metadata.ownerReferences?.[0]
  if (!owner) return
  const { apiVersion, kind, name, uid } = owner
  const labels = labelsOf(place.name, place.uuid)
  await grantMarksAccess(member, { name: marksRoleName(), owner: { apiVersion, kind, name, uid }, labels }, signal)
}

/**
 * The engine's service account owns the marker and the roles to read it, so the garbage collector deletes them with it. A collector
 * that lags would take minutes, in which the cluster could not be deleted. Users without the right to delete them leave it to the collector.
 */
export async function removeMarker(member: ClusterApi, place: Place, signal: AbortSignal): Promise<void> {
  const ref: ObjectRef = { ...configMapKind, name: markerName, namespace: markerNamespace }
  try {
    const live = await member.get(ref, { signal })
    // the cluster has joined another federation meanwhile; the roles belong to that marker
    if (live && live.metadata.labels?.[uuidLabel] !== place.uuid) return
    await revokeMarksAccess(member, marksRoleName(), signal)
    if (live) await member.delete(ref, { signal })
  } catch (error) {
    if (!isForbidden(error)) throw error
  }
}
