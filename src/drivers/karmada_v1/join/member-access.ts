/** The federation's own access to a member, which needs no kubeconfig of the user. */

import type { InlineAccess } from '../../../kube/access/connect.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import { decoded } from '../../../kube/api/object.ts'
import { insecureAnnotation, proxyAnnotation, secretRefs, serverAnnotation } from '../templates/membership.ts'

/** Undefined if the federation has no keys to this member. */
export async function ownAccess(
  api: ClusterApi,
  member: string,
  signal?: AbortSignal,
): Promise<InlineAccess | undefined> {
  const [ref] = secretRefs(member)
  const secret = ref && (await api.get(ref, { signal }))
  const token = decoded(secret, 'token')
  const notes = secret?.metadata.annotations ?? {}
  const server = notes[serverAnnotation]
  if (!token || !server) return undefined
  const insecure = notes[insecureAnnotation] === 'true'
  return {
    name: member,
    server,
    token,
    ...(insecure ? { insecure } : { ca: decoded(secret, 'caBundle') }),
    ...(notes[proxyAnnotation] ? { proxyUrl: notes[proxyAnnotation] } : {}),
  }
}
