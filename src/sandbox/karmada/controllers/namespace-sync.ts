import type { Controller } from '../../kube/controllers/host.ts'
import { admitOwn } from '../admit-own.ts'
import { bootstrapIds, isReservedNamespace } from '../names.ts'
import { ensureWork } from '../work-objects.ts'

const optOut = 'namespace.karmada.io/skip-auto-propagation'

/** Sends each of the users' namespaces to every member. */
export const namespaceSync: Controller = ({ plane, watch, queue }) => {
  const enqueue = queue(async name => {
    const namespace = plane.store.get('namespaces', undefined, name)
    if (!namespace || namespace.metadata.deletionTimestamp || isReservedNamespace(name)) return
    if (namespace.metadata.labels?.[optOut] === 'true') return
    for (const cluster of plane.store.list(bootstrapIds.clusters)) {
      if (cluster.metadata.deletionTimestamp) continue
      const { labels, annotations } = namespace.metadata
      const manifest = {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) },
      }
      await ensureWork(
        plane,
        { cluster: cluster.metadata.name, manifest, conflictResolution: 'overwrite' },
        admitOwn(plane, bootstrapIds.works),
      )
    }
  })
  watch('namespaces', ({ type, object }) => {
    const { name } = object.metadata
    if (type === 'DELETED') return
    // the execution namespace of a cluster shows that Works can go there
    if (name.startsWith('karmada-es-')) for (const other of plane.store.list('namespaces')) enqueue(other.metadata.name)
    else enqueue(name)
  })
}
