/** The record of one member, and the marker that it carries itself. */

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
  /** In the federation; fixed when it joined. */
  name: string
  /** Which cluster it is. */
  uid: string
  /** What it is called here: a context, `magnum:prod`. In the record only if it means the same everywhere. */
  reference: string
  server: string
  /** As it was said when it joined: what is not said again stays. */
  said: MemberSettings
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
    said: settingsIn(data.said),
    state: data.state === 'joined' || data.state === 'leaving' ? data.state : 'joining',
    joinedAt: data['joined-at'] ?? '',
  }
}

/** Somebody may have edited it; then it says nothing. */
function settingsIn(json: string | undefined): MemberSettings {
  try {
    const said: unknown = json === undefined ? {} : parseBounded(json)
    return memberSettingsShape(said) === undefined ? (said as MemberSettings) : {}
  } catch {
    return {}
  }
}

export async function listMembers(host: ClusterApi, place: Place, signal: AbortSignal): Promise<MemberRecord[]> {
  const labels = labelSelector({ ...labelsOf(place.name, place.uuid), [recordLabel]: 'member' })
  const { items } = await host.list(configMapKind, { namespace: place.namespace, labels, signal })
  return items.map(parseMember).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Written under the federation's lock alone, by name: one run at a time, and for each member one. */
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
        said: JSON.stringify(member.said),
        state: member.state,
        'joined-at': member.joinedAt,
      },
    },
    { signal },
  )
}

export const deleteMember = (host: ClusterApi, place: Place, member: string, signal: AbortSignal): Promise<boolean> =>
  host.delete(refTo(place, member), { signal })

/** In the member's kube-system, so that whoever wants to delete that cluster can know. The host is named where that means something elsewhere. */
export const marker = (place: Place, member: string, host: string | undefined): KubeObject => ({
  ...configMapKind,
  metadata: {
    name: markerName,
    namespace: markerNamespace,
    labels: { ...labelsOf(place.name, place.uuid), [recordLabel]: 'membership' },
  },
  data: { federation: place.name, uuid: place.uuid, member, ...(host === undefined ? {} : { host }) },
})

/** So that a deletion of the cluster need not ask as its administrator. */
export async function letMarkBeSeen(member: ClusterApi, place: Place, signal: AbortSignal): Promise<void> {
  const ref: ObjectRef = { ...configMapKind, name: markerName, namespace: markerNamespace }
  const live = await member.get(ref, { signal }).catch(fallbackOn('denied', undefined))
  const owner = live?.metadata.ownerReferences?.[0]
  if (!owner) return
  const { apiVersion, kind, name, uid } = owner
  const labels = labelsOf(place.name, place.uuid)
  await grantMarksAccess(member, { name: marksRoleName(), owner: { apiVersion, kind, name, uid }, labels }, signal)
}

/**
 * The mark hangs on the engine's account there and goes with it, as do the roles that let it be read, some time: a garbage collector
 * that lags would keep them for minutes, and the cluster could not be deleted. Who may not delete them leaves them to that.
 */
export async function removeMarker(member: ClusterApi, place: Place, signal: AbortSignal): Promise<void> {
  const ref: ObjectRef = { ...configMapKind, name: markerName, namespace: markerNamespace }
  try {
    const live = await member.get(ref, { signal })
    // another federation has it by now, and the roles are for its mark
    if (live && live.metadata.labels?.[uuidLabel] !== place.uuid) return
    await revokeMarksAccess(member, marksRoleName(), signal)
    if (live) await member.delete(ref, { signal })
  } catch (error) {
    if (!isForbidden(error)) throw error
  }
}
