import type { Store } from '../kube/store.ts'

/**
 * What an API server has of etcd: lists and watches come from the memory that it keeps, a single object and every write go to
 * etcd. The two part when etcd comes back without its data: the real server notices nothing, and goes on from memory.
 */
export function remembered(memory: Store, etcd: () => Store | undefined): Store {
  const stored = () => etcd() ?? memory
  return {
    ...memory,
    get: (id, namespace, name) => stored().get(id, namespace, name),
    put: (id, object) => stored().put(id, object),
    remove: (id, namespace, name) => stored().remove(id, namespace, name),
  }
}
