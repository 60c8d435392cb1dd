import type { Store } from '../kube/store.ts'

/**
 * The watch cache of an API server: it serves lists and watches, while reads of a single object and all writes go to
 * etcd. The two differ after etcd has lost its data, which the real server does not notice.
 */
export function withWatchCache(memory: Store, etcd: () => Store | undefined): Store {
  const stored = () => etcd() ?? memory
  return {
    ...memory,
    get: (id, namespace, name) => stored().get(id, namespace, name),
    put: (id, object) => stored().put(id, object),
    remove: (id, namespace, name) => stored().remove(id, namespace, name),
  }
}
