/** The API of an open federation: connects once and lists the members once, however many clusters join. */
import type { ClusterApi, KnownKind } from '../../kube/api/cluster-api.ts'
import type { MemberHealth } from '../../model/federation-health.ts'
import { listMembers } from './join/members.ts'
import { workKind } from './leave/works.ts'
import { clusterKind } from './templates/membership.ts'

/** Kinds of this Karmada release. Discovery requests for them are not needed. */
const ownKinds: readonly KnownKind[] = [
  { ...clusterKind, plural: 'clusters', namespaced: false },
  { ...workKind, plural: 'works', namespaced: true },
]

export function withOwnKinds(api: ClusterApi): ClusterApi {
  api.learn(ownKinds)
  return api
}

export interface OwnApi {
  api(): Promise<ClusterApi>
  /** The members at the first call. The lock that a change holds keeps others from changing them. */
  members(): Promise<MemberHealth[]>
}

export function ownApi(enter: () => Promise<ClusterApi>, signal: AbortSignal): OwnApi {
  const api = remembered(async () => withOwnKinds(await enter()))
  return { api, members: remembered(async () => listMembers(await api(), signal)) }
}

/** Caches the answer, but not a failure: the next call may succeed. */
export function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => {
    if (answer !== undefined) return answer
    const asked = ask()
    answer = asked
    asked.catch(() => {
      answer = undefined
    })
    return asked
  }
}
