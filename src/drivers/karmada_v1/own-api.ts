/** The API of one federation that is open: entered once, and its members listed once, however many clusters join. */
import type { ClusterApi, KnownKind } from '../../kube/api/cluster-api.ts'
import type { MemberHealth } from '../../model/federation-health.ts'
import { listMembers } from './join/members.ts'
import { workKind } from './leave/works.ts'
import { clusterKind } from './templates/membership.ts'

/** Of this engine's release: its server need not be asked where it has them. */
const ownKinds: readonly KnownKind[] = [
  { ...clusterKind, plural: 'clusters', namespaced: false },
  { ...workKind, plural: 'works', namespaced: true },
]

export function knowing(api: ClusterApi): ClusterApi {
  api.learn(ownKinds)
  return api
}

export interface OwnApi {
  api(): Promise<ClusterApi>
  /** As they were when this was first asked. The lock of a change keeps others from changing them. */
  members(): Promise<MemberHealth[]>
}

export function ownApi(enter: () => Promise<ClusterApi>, signal: AbortSignal): OwnApi {
  const api = remembered(async () => knowing(await enter()))
  return { api, members: remembered(async () => listMembers(await api(), signal)) }
}

/** A failure is not remembered: asked again, it may succeed. */
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
