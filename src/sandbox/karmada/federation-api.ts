import type { TokenSigner } from '../kube/access/tokens.ts'
import type { ControlPlane } from '../kube/control-plane.ts'
import type { SnapshotEntry } from '../kube/snapshot.ts'
import type { Listener } from '../listener.ts'

/** One Karmada API: what its API server pods (however many) share over the same etcd. */
export interface FederationApi {
  namespace: string
  plane: ControlPlane
  signer: TokenSigner
  listeners: Map<string, Listener>
  stopControllers: () => void
  /** Which pod does the work of a component that must run once: the leader. */
  leaders: Map<string, string>
  snapshot(): SnapshotEntry[]
}

/** Runs `work` in the pod that gets the lead; the others stand by. Answers how to resign. */
export function lead(
  api: FederationApi,
  component: string,
  uid: string,
  work: () => () => void,
  again: (attempt: () => void) => () => void,
): () => void {
  let stop: (() => void) | undefined
  const attempt = () => {
    if (stop || (api.leaders.get(component) ?? uid) !== uid) return
    api.leaders.set(component, uid)
    stop = work()
  }
  attempt()
  const cancel = again(attempt)
  return () => {
    cancel()
    stop?.()
    if (api.leaders.get(component) === uid) api.leaders.delete(component)
  }
}
