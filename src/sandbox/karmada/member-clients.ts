import type { ControllerHost } from '../kube/controllers/host.ts'
import { type KubeObject, same } from '../kube/object.ts'
import { type MemberClient, memberClient } from './member-client.ts'
import { bootstrapIds } from './names.ts'

/** What of a Cluster decides how it is reached; taints come and go without that. */
const wayTo = ({ metadata, spec }: KubeObject) => [
  metadata.uid,
  spec.apiEndpoint,
  spec.secretRef,
  spec.insecureSkipTLSVerification,
]

/** One client for each member, kept while its endpoint stays the same. */
export interface MemberClients {
  of(cluster: string): MemberClient | { error: string }
}

/**
 * @param keys `first`: other keys in its Secret are not taken before the controllers start anew, as those of this release go on
 * with the caches that they made with them
 */
export function keepMemberClients({ plane, watch, onStop }: ControllerHost, keys: 'first' | 'current'): MemberClients {
  const kept = new Map<string, MemberClient>()
  const drop = (cluster: string) => {
    kept.get(cluster)?.close()
    kept.delete(cluster)
  }
  watch(bootstrapIds.clusters, ({ object, previous }) => {
    if (!previous || !same(wayTo(previous), wayTo(object))) drop(object.metadata.name)
  })
  watch('secrets', ({ object }) => {
    if (keys === 'first') return
    for (const cluster of plane.store.list(bootstrapIds.clusters)) {
      const { namespace, name } = cluster.spec.secretRef ?? {}
      if (namespace === object.metadata.namespace && name === object.metadata.name) drop(cluster.metadata.name)
    }
  })
  onStop(() => {
    for (const cluster of [...kept.keys()]) drop(cluster)
  })
  return {
    of(cluster) {
      const known = kept.get(cluster)
      if (known) return known
      const object = plane.store.get(bootstrapIds.clusters, undefined, cluster)
      if (!object) return { error: `cluster ${cluster} not found` }
      const client = memberClient(plane, object)
      if (!('error' in client)) kept.set(cluster, client)
      return client
    },
  }
}
