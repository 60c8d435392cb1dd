import { now } from '../../kube/control-plane.ts'
import { withCondition } from '../../kube/controllers/conditions.ts'
import { byKey, type Controller, objectKey, remove, setStatus, update } from '../../kube/controllers/host.ts'
import { type Json, type KubeObject, same } from '../../kube/object.ts'
import { idOf } from '../../kube/resource-types.ts'
import { admitOwn } from '../admit-own.ts'
import { conditionOf } from '../conditions-of.ts'
import { bootstrapIds, executionPrefix, finalizers } from '../names.ts'
import { bare, ensureWork, workName } from '../work-objects.ts'

/** Makes a Work for each member of a binding, removes other Works, and collects the statuses. */
export const bindingController: Controller = ({ plane, watch, queue }) => {
  const ids: string[] = [bootstrapIds.bindings, bootstrapIds.clusterBindings]
  const templateOf = (binding: KubeObject) => {
    const type = plane.types.ofObject(binding.spec.resource)
    const { namespace, name } = binding.spec.resource
    return type && { id: idOf(type), object: plane.store.get(idOf(type), namespace, name) }
  }
  const marks = (binding: KubeObject) => {
    const kind = binding.metadata.namespace ? 'resourcebinding' : 'clusterresourcebinding'
    const permanentId = `${kind}.karmada.io/permanent-id`
    return {
      labels: { [permanentId]: binding.metadata.labels?.[permanentId] ?? '' },
      annotations: {
        [`${kind}.karmada.io/name`]: binding.metadata.name,
        ...(binding.metadata.namespace ? { [`${kind}.karmada.io/namespace`]: binding.metadata.namespace } : {}),
      } as Record<string, string>,
    }
  }
  const worksOf = (binding: KubeObject) => {
    const { annotations } = marks(binding)
    return plane.store
      .list(bootstrapIds.works)
      .filter(w => Object.entries(annotations).every(([key, value]) => w.metadata.annotations?.[key] === value))
  }

  const sync = (id: string) => async (key: string) => {
    const binding = byKey(plane, id, key)
    if (!binding) return
    const targets: Json[] = binding.metadata.deletionTimestamp ? [] : (binding.spec.clusters ?? [])
    for (const work of worksOf(binding)) {
      const cluster = (work.metadata.namespace as string).slice(executionPrefix.length)
      if (!targets.some(t => t.name === cluster)) remove(plane, bootstrapIds.works, work)
    }
    if (binding.metadata.deletionTimestamp) {
      const left = (binding.metadata.finalizers ?? []).filter(f => f !== finalizers.binding)
      if (worksOf(binding).length === 0 && left.length !== binding.metadata.finalizers?.length) {
        update(plane, id, { ...binding, metadata: { ...binding.metadata, finalizers: left } })
      }
      return
    }
    const template = templateOf(binding)?.object
    if (!template) return
    for (const target of targets) {
      const manifest = bare(template)
      if (target.replicas !== undefined && manifest.spec) manifest.spec.replicas = target.replicas
      const { labels, annotations } = marks(binding)
      manifest.metadata.annotations = {
        ...manifest.metadata.annotations,
        'resourcetemplate.karmada.io/uid': template.metadata.uid as string,
      }
      await ensureWork(
        plane,
        {
          cluster: target.name,
          manifest,
          labels,
          annotations,
          conflictResolution: binding.spec.conflictResolution === 'Overwrite' ? 'overwrite' : 'abort',
          preserveResourcesOnDeletion: binding.spec.preserveResourcesOnDeletion,
        },
        admitOwn(plane, bootstrapIds.works),
      )
    }
  }

  const gather = (id: string) => (key: string) => {
    const binding = byKey(plane, id, key)
    const template = binding && templateOf(binding)
    if (!binding || !template?.object || binding.metadata.deletionTimestamp) return
    const name = workName(template.object)
    const items: Json[] = worksOf(binding)
      .filter(w => w.metadata.name === name)
      .map(work => {
        const applied = conditionOf(work, 'Applied')
        const item = work.status?.manifestStatuses?.[0]
        return {
          clusterName: (work.metadata.namespace as string).slice(executionPrefix.length),
          ...(applied?.status === 'True' ? { applied: true } : applied ? { appliedMessage: applied.message } : {}),
          ...(item?.status ? { status: item.status } : {}),
          ...(item?.health ? { health: item.health } : {}),
        }
      })
    const wanted = (binding.spec.clusters ?? []).length
    const all = wanted > 0 && items.filter(i => i.applied).length === wanted
    const condition = all
      ? {
          type: 'FullyApplied',
          status: 'True' as const,
          reason: 'FullyAppliedSuccess',
          message: 'All works have been successfully applied',
        }
      : {
          type: 'FullyApplied',
          status: 'False' as const,
          reason: 'FullyAppliedFailed',
          message: 'Failed to apply all works, see status.aggregatedStatus for details',
        }
    setStatus(plane, id, binding, {
      ...binding.status,
      conditions: withCondition(binding.status?.conditions, condition, now(plane)),
      aggregatedStatus: items,
    })
    const { object, id: templateId } = template
    if (!['Deployment', 'StatefulSet'].includes(object.kind)) return
    const sum = (field: string) => items.reduce((n, item) => n + (item.status?.[field] ?? 0), 0)
    const fields = ['replicas', 'readyReplicas', 'updatedReplicas', 'availableReplicas', 'unavailableReplicas']
    const counts = Object.fromEntries(fields.map(f => [f, sum(f)]).filter(([, n]) => n !== 0))
    setStatus(plane, templateId, object, { observedGeneration: object.metadata.generation, ...counts })
  }

  for (const id of ids) {
    const enqueue = queue(sync(id))
    const collect = queue(gather(id))
    watch(id, ({ type, object, previous }) => {
      if (type === 'DELETED') return
      const touched =
        !previous ||
        !same(previous.spec, object.spec) ||
        previous.metadata.deletionTimestamp !== object.metadata.deletionTimestamp
      if (touched) {
        enqueue(objectKey(object))
        collect(objectKey(object), 5)
      }
    })
    watch('namespaces', ({ type, object }) => {
      if (type !== 'ADDED' || !object.metadata.name.startsWith(executionPrefix)) return
      for (const binding of plane.store.list(id)) enqueue(objectKey(binding))
    })
    watch(bootstrapIds.works, ({ type, object }) => {
      const kind = id === bootstrapIds.bindings ? 'resourcebinding' : 'clusterresourcebinding'
      const { annotations } = object.metadata
      const name = annotations?.[`${kind}.karmada.io/name`]
      if (!name) return
      const namespace = annotations[`${kind}.karmada.io/namespace`]
      const key = namespace ? `${namespace}/${name}` : name
      collect(key, 5)
      if (type === 'DELETED') enqueue(key, 5) // recreates a deleted Work if its cluster still exists
    })
  }
}
