import { now } from '../../kube/control-plane.ts'
import { recordEvent } from '../../kube/controllers/events.ts'
import { type Controller, create, remove, update } from '../../kube/controllers/host.ts'
import type { Json, KubeObject } from '../../kube/object.ts'
import { isReady } from '../conditions-of.ts'
import { bootstrapIds, executionNamespace, finalizers } from '../names.ts'

const notReady = 'cluster.karmada.io/not-ready'

/** Gives each Cluster its execution namespace and taint, and cleans up before the Cluster is deleted. */
export const clusterController: Controller = ({ plane, timings, watch, queue }) => {
  const enqueue = queue(name => {
    const cluster = plane.store.get(bootstrapIds.clusters, undefined, name)
    if (!cluster) return
    if (cluster.metadata.deletionTimestamp) return leave(cluster)
    const held = cluster.metadata.finalizers ?? []
    if (!held.includes(finalizers.cluster)) {
      const metadata = { ...cluster.metadata, finalizers: [...held, finalizers.cluster] }
      return void update(plane, bootstrapIds.clusters, { ...cluster, metadata })
    }
    const space = executionNamespace(name)
    if (!plane.store.get('namespaces', undefined, space)) {
      create(plane, 'namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: space, labels: { 'karmada.io/system': 'true' } },
      })
      const message = `Created execution namespace(${space}) for cluster(${name})`
      recordEvent(plane, cluster, 'Normal', 'CreateExecutionSpaceSucceed', message, 'cluster-controller')
    }
    taint(cluster)
  })

  function taint(cluster: KubeObject): void {
    const taints: Json[] = cluster.spec.taints ?? []
    const tainted = taints.some(t => t.key === notReady)
    if (tainted === !isReady(cluster)) return
    const next = tainted
      ? taints.filter(t => t.key !== notReady)
      : [...taints, { key: notReady, effect: 'NoSchedule', timeAdded: now(plane) }]
    const { taints: _old, ...spec } = cluster.spec
    update(plane, bootstrapIds.clusters, { ...cluster, spec: next.length ? { ...spec, taints: next } : spec })
  }

  /** Checks again only periodically or when the Cluster changes: the end of the namespace triggers nothing. */
  function leave(cluster: KubeObject) {
    const { name } = cluster.metadata
    if (!cluster.metadata.finalizers?.includes(finalizers.cluster)) return
    const space = plane.store.get('namespaces', undefined, executionNamespace(name))
    if (space) {
      if (!space.metadata.deletionTimestamp) remove(plane, 'namespaces', space)
      return enqueue(name, timings.clusterCleanup)
    }
    const targeted = [bootstrapIds.bindings, bootstrapIds.clusterBindings].some(id =>
      plane.store.list(id).some(binding => (binding.spec.clusters ?? []).some((c: Json) => c.name === name)),
    )
    if (targeted) return enqueue(name, timings.clusterCleanup)
    const left = cluster.metadata.finalizers.filter(f => f !== finalizers.cluster)
    update(plane, bootstrapIds.clusters, { ...cluster, metadata: { ...cluster.metadata, finalizers: left } })
  }

  watch(bootstrapIds.clusters, ({ type, object }) => {
    if (type !== 'DELETED') enqueue(object.metadata.name)
  })
}
