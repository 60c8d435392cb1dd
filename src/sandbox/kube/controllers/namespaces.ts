import { now } from '../control-plane.ts'
import { deleteObject } from '../objects.ts'
import { idOf } from '../resource-types.ts'
import { type Condition, withCondition } from './conditions.ts'
import type { Controller } from './host.ts'
import { create, setStatus } from './host.ts'

/** Empties a namespace that is being deleted, then finalizes it. */
export const namespaceController: Controller = ({ plane, timings, watch, queue }) => {
  const enqueue = queue(name => {
    const namespace = plane.store.get('namespaces', undefined, name)
    if (!namespace?.metadata.deletionTimestamp) return
    // an unavailable API may hold objects of this namespace
    const unknown = [...plane.aggregated].filter(([, state]) => state() === 'unavailable').map(([version]) => version)
    const ids = new Set(
      plane.types
        .all()
        .filter(type => type.namespaced)
        .map(idOf),
    )
    const left: Record<string, number> = {}
    const finalizers: Record<string, number> = {}
    for (const id of ids) {
      const type = plane.types.byId(id)
      if (!type || type.verbs.length === 1) continue
      for (const object of plane.store.list(id, name)) deleteObject(plane, type, name, object.metadata.name)
      for (const object of plane.store.list(id, name)) {
        left[id] = (left[id] ?? 0) + 1
        for (const f of object.metadata.finalizers ?? []) finalizers[f] = (finalizers[f] ?? 0) + 1
      }
    }
    if (Object.keys(left).length === 0 && unknown.length === 0) {
      const { finalizers: _done, ...spec } = namespace.spec
      const last = plane.store.get('namespaces', undefined, name)
      if (last?.metadata.finalizers?.length) plane.store.put('namespaces', { ...last, spec })
      else plane.store.remove('namespaces', undefined, name)
      return
    }
    const describe = (counts: Record<string, number>, what: (key: string, n: number) => string) =>
      Object.entries(counts)
        .map(([key, n]) => what(key, n))
        .join(', ')
    const say = (type: string, bad: boolean, reason: string, message: string, fine: [string, string]): Condition => ({
      type,
      status: bad ? 'True' : 'False',
      reason: bad ? reason : fine[0],
      message: bad ? message : fine[1],
    })
    const conditions = [
      say(
        'NamespaceDeletionDiscoveryFailure',
        unknown.length > 0,
        'DiscoveryFailed',
        `Discovery failed for some groups, ${unknown.length} failing: unable to retrieve the complete list of server APIs: ${unknown.map(v => `${v}: stale GroupVersion discovery: ${v}`).join(', ')}`,
        ['ResourcesDiscovered', 'All resources successfully discovered'],
      ),
      say(
        'NamespaceContentRemaining',
        Object.keys(left).length > 0,
        'SomeResourcesRemain',
        `Some resources are remaining: ${describe(left, (id, n) => `${id} has ${n} resource instances`)}`,
        ['ContentRemoved', 'All content successfully removed'],
      ),
      say(
        'NamespaceFinalizersRemaining',
        Object.keys(finalizers).length > 0,
        'SomeFinalizersRemain',
        `Some content in the namespace has finalizers remaining: ${describe(finalizers, (f, n) => `${f} in ${n} resource instances`)}`,
        ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
      ),
    ]
    let list: Condition[] = namespace.status?.conditions ?? []
    for (const condition of conditions) list = withCondition(list, condition, now(plane))
    setStatus(plane, 'namespaces', namespace, { phase: 'Terminating', conditions: list })
    enqueue(name, timings.namespaceGrace)
  })
  watch('*', change => {
    if (change.id === 'namespaces') {
      const { name, deletionTimestamp } = change.object.metadata
      if (deletionTimestamp && !change.previous?.metadata.deletionTimestamp) enqueue(name, timings.namespaceGrace)
      return
    }
    if (change.type !== 'DELETED') return
    const place = change.object.metadata.namespace
    if (place && plane.store.get('namespaces', undefined, place)?.status?.conditions) enqueue(place, 5)
  })
}

/** Gives each namespace its default service account and the CA that its pods trust. */
export const namespaceFurniture: Controller = ({ plane, watch, queue }) => {
  const enqueue = queue(namespace => {
    const found = plane.store.get('namespaces', undefined, namespace)
    if (!found || found.metadata.deletionTimestamp) return
    if (!plane.store.get('serviceaccounts', namespace, 'default')) {
      create(plane, 'serviceaccounts', {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default', namespace },
      })
    }
    if (!plane.store.get('configmaps', namespace, 'kube-root-ca.crt')) {
      create(plane, 'configmaps', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'kube-root-ca.crt', namespace },
        data: { 'ca.crt': plane.caCertificate },
      })
    }
  })
  watch('namespaces', ({ type, object }) => type === 'ADDED' && enqueue(object.metadata.name))
  watch(['serviceaccounts', 'configmaps'], ({ type, object }) => {
    if (type === 'DELETED') enqueue(object.metadata.namespace as string)
  })
}
