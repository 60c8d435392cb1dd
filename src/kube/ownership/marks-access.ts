/**
 * Lets a group with no other rights read the marks of federations. The grant is made together with the marks and has the same owner,
 * so that Kubernetes removes it with them.
 */
import type { ClusterApi } from '../api/cluster-api.ts'
import { isForbidden } from '../api/errors.ts'
import type { KubeObject, ObjectRef } from '../api/object.ts'
import { markerName, recordName } from './federation-marks.ts'

/** The user and group in the certificate with which coe reads marks. */
export const marksReader = 'coe:marks'

const rbac = 'rbac.authorization.k8s.io'
const apiVersion = `${rbac}/v1`

/** @param namespace the federation's namespace, on its host; none on a member */
export const marksRoleName = (namespace?: string): string =>
  namespace === undefined ? 'coe-marks' : `coe-marks-${namespace}`

export type Owner = { apiVersion: string; kind: string; name: string; uid: string }

/**
 * Does nothing if the user may not grant: then a later deletion of the cluster reports that it could not check the marks. Any
 * other failure ends the run, so that the next run makes the grant.
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

/**
 * Deletes the grant explicitly, since its owner may stay and the garbage collector may lag. A refusal is ignored: a user who may not
 * delete the grant could not make it either.
 */
export async function revokeMarksAccess(api: ClusterApi, name: string, signal: AbortSignal): Promise<void> {
  const refs: ObjectRef[] = ['ClusterRoleBinding', 'ClusterRole'].map(kind => ({ apiVersion, kind, name }))
  for (const ref of refs) {
    await api.delete(ref, { signal }).catch((error: unknown) => {
      if (!isForbidden(error)) throw error
    })
  }
}
