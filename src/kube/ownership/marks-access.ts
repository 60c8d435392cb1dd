/**
 * Who may read the marks of federations without being an administrator: a group of its own, which has no other rights. The grant
 * is made beside the marks and belongs to what they belong to, so that Kubernetes removes it with them.
 */
import type { ClusterApi } from '../api/cluster-api.ts'
import { isForbidden } from '../api/errors.ts'
import type { KubeObject, ObjectRef } from '../api/object.ts'
import { markerName, recordName } from './federation-marks.ts'

/** User and group of the certificate that a look for marks is made with. */
export const marksReader = 'coe:marks'

const rbac = 'rbac.authorization.k8s.io'
const apiVersion = `${rbac}/v1`

/** @param place the namespace of the federation, on its host; none on a member */
export const marksRoleName = (place?: string): string => (place === undefined ? 'coe-marks' : `coe-marks-${place}`)

export type Owner = { apiVersion: string; kind: string; name: string; uid: string }

/**
 * As far as the user who makes the marks may: without the grant, a deletion of the cluster says that it could not look. Any
 * other failure ends the run, so that the next one makes the grant.
 */
export async function grantMarksAccess(
  api: ClusterApi,
  { name, owner, labels }: { name: string; owner: Owner; labels: Record<string, string> },
  signal: AbortSignal,
): Promise<void> {
  const metadata = { name, labels, ownerReferences: [owner] }
  const names = [recordName, markerName]
  const rules = [{ apiGroups: [''], resources: ['configmaps'], resourceNames: names, verbs: ['get', 'list'] }]
  const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name }
  const subjects = [{ apiGroup: rbac, kind: 'Group', name: marksReader }]
  try {
    await api.apply({ apiVersion, kind: 'ClusterRole', metadata, rules } satisfies KubeObject, { signal })
    await api.apply({ apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects } satisfies KubeObject, {
      signal,
    })
  } catch (error) {
    if (!isForbidden(error)) throw error
  }
}

/** Their owner may stay, and a garbage collector may lag. Only a refusal is accepted: whoever may not delete them could not make them. */
export async function revokeMarksAccess(api: ClusterApi, name: string, signal: AbortSignal): Promise<void> {
  const refs: ObjectRef[] = ['ClusterRoleBinding', 'ClusterRole'].map(kind => ({ apiVersion, kind, name }))
  for (const ref of refs) {
    await api.delete(ref, { signal }).catch((error: unknown) => {
      if (!isForbidden(error)) throw error
    })
  }
}
