import type { ControllerHost } from '../kube/controllers/host.ts'
import { type KubeObject, same } from '../kube/object.ts'
import { type MemberClient, memberClient } from './member-client.ts'
import { bootstrapIds } from './names.ts'

/** The parts of a Cluster that affect its connection; changes of taints, for example, do not. */
const connectionOf = ({ metadata, spec }: KubeObject) => [
  metadata.uid,
  spec.apiEndpoint,
  spec.secretRef,
  spec.insecureSkipTLSVerification,
]

/** One client for each member, reused while its endpoint stays the same. */
export interface MemberClients {
  of(cluster: string): MemberClient | { error: string }
}

/**
 * @param keys `first`: new keys in the Secret are used only after a restart of the controllers, because those of this
 * release keep the caches made with the first keys
 */
export function keepMemberClients({ plane, watch, onStop }: ControllerHost, keys: 'first' | 'current'): MemberClients {
  const clients = new Map<string, MemberClient>()
  const drop = (cluster: string) => {
    clients.get(cluster)?.close()
    clients.delete(cluster)
  }
  watch(bootstrapIds.clusters, ({ object, previous }) => {
    if (!previous || !same(connectionOf(previous), connectionOf(object))) drop(object.metadata.name)
  })
  watch('secrets', ({ object }) => {
    if (keys === 'first') return
    for (const cluster of plane.store.list(bootstrapIds.clusters)) {
      const { namespace, name } = cluster.spec.secretRef ?? {}
      if (namespace === object.metadata.namespace && name === object.metadata.name) drop(cluster.metadata.name)
    }
  })
  onStop(() => {
    for (const cluster of [...clients.keys()]) drop(cluster)
  })
  return {
    of(cluster) {
      const known = clients.get(cluster)
      if (known) return known
      const object = plane.store.get(bootstrapIds.clusters, undefined, cluster)
      if (!object) return { error: `cluster ${cluster} not found` }
      const client = memberClient(plane, object)
      if (!('error' in client)) clients.set(cluster, client)
      return client
    },
  }
}
