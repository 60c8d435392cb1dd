import type { TokenSigner } from '../kube/access/tokens.ts'
import type { ControlPlane } from '../kube/control-plane.ts'
import type { SnapshotEntry } from '../kube/snapshot.ts'
import type { Listener } from '../listener.ts'

/** One Karmada API: the state that its API server pods share over the same etcd. */
export interface FederationApi {
  namespace: string
  plane: ControlPlane
  signer: TokenSigner
  listeners: Map<string, Listener>
  stopControllers: () => void
  /** The leading pod of each component that must run only once. */
  leaders: Map<string, string>
  snapshot(): SnapshotEntry[]
}

/** Runs `work` in the pod that becomes the leader; the others stand by. Returns a function that resigns. */
export function lead(
  api: FederationApi,
  component: string,
  uid: string,
  work: () => () => void,
  retryOn: (attempt: () => void) => () => void,
): () => void {
  let stop: (() => void) | undefined
  const attempt = () => {
    if (stop || (api.leaders.get(component) ?? uid) !== uid) return
    api.leaders.set(component, uid)
    stop = work()
  }
  attempt()
  const cancel = retryOn(attempt)
  return () => {
    cancel()
    stop?.()
    if (api.leaders.get(component) === uid) api.leaders.delete(component)
  }
}
