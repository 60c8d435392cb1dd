import { now } from '../../kube/control-plane.ts'
import { withCondition } from '../../kube/controllers/conditions.ts'
import { byKey, type Controller, keyedUpdate, objectKey, setStatus } from '../../kube/controllers/host.ts'
import { type Json, type KubeObject, same } from '../../kube/object.ts'
import { matchesLabelSelector } from '../../kube/selectors.ts'
import { bootstrapIds } from '../names.ts'

/** Decides which members get the resource of a binding, and how many replicas. */
export const schedulerController: Controller = ({ plane, watch, queue }) => {
  const ids: string[] = [bootstrapIds.bindings, bootstrapIds.clusterBindings]
  const schedule = (id: string) => (key: string) => {
    const binding = byKey(plane, id, key)
    if (!binding || binding.metadata.deletionTimestamp) return
    const placement = binding.spec.placement ?? {}
    const already = new Set((binding.spec.clusters ?? []).map((c: Json) => c.name))
    const fitting = plane.store
      .list(bootstrapIds.clusters)
      .filter(
        c =>
          !c.metadata.deletionTimestamp &&
          inAffinity(placement.clusterAffinity, c) &&
          (already.has(c.metadata.name) || tolerated(placement, c)),
      )
      .map(c => c.metadata.name)
    const clusters = divide(fitting, binding.spec.replicas, placement.replicaScheduling)
    if (!same(binding.spec.clusters ?? [], clusters))
      keyedUpdate(plane, id, binding, {}, { spec: { ...binding.spec, clusters } })
    const current = byKey(plane, id, key)
    if (!current) return
    const condition =
      clusters.length > 0
        ? {
            type: 'Scheduled',
            status: 'True' as const,
            reason: 'Success',
            message: 'Binding has been scheduled successfully.',
          }
        : {
            type: 'Scheduled',
            status: 'False' as const,
            reason: 'NoClusterFit',
            message: `0/${plane.store.list(bootstrapIds.clusters).length} clusters are available`,
          }
    const conditions = withCondition(current.status?.conditions, condition, now(plane))
    setStatus(plane, id, current, {
      ...current.status,
      conditions,
      schedulerObservedGeneration: current.metadata.generation,
    })
  }
  for (const id of ids) {
    const enqueue = queue(schedule(id))
    watch(id, ({ type, object, previous }) => {
      if (type !== 'DELETED' && !(previous && same(previous.spec, object.spec))) enqueue(objectKey(object))
    })
    watch(bootstrapIds.clusters, ({ object, previous }) => {
      const moved =
        !previous ||
        !same(previous.spec.taints, object.spec.taints) ||
        !same(previous.metadata.labels, object.metadata.labels) ||
        previous.metadata.deletionTimestamp !== object.metadata.deletionTimestamp
      if (moved) for (const binding of plane.store.list(id)) enqueue(objectKey(binding))
    })
  }
}

function inAffinity(affinity: Json, cluster: KubeObject): boolean {
  if (!affinity) return true
  const { name, labels } = cluster.metadata
  if (affinity.exclude?.includes(name)) return false
  if (affinity.clusterNames?.length && !affinity.clusterNames.includes(name)) return false
  return !affinity.labelSelector || matchesLabelSelector(affinity.labelSelector, labels)
}

const tolerated = (placement: Json, cluster: KubeObject): boolean =>
  (cluster.spec.taints ?? []).every((taint: Json) =>
    (placement.clusterTolerations ?? []).some(
      (t: Json) => (!t.key || t.key === taint.key) && (t.operator === 'Exists' || t.value === taint.value),
    ),
  )

function divide(names: string[], replicas: number | undefined, how: Json): Json[] {
  if (replicas === undefined) return names.map(name => ({ name }))
  if (how?.replicaSchedulingType !== 'Divided') return names.map(name => ({ name, replicas }))
  const rules: Json[] = how.weightPreference?.staticWeightList ?? []
  const weightOf = (name: string): number =>
    rules.length
      ? Math.max(
          0,
          ...rules.filter(r => inAffinity(r.targetCluster, { metadata: { name } } as KubeObject)).map(r => r.weight),
        )
      : 1
  const total = names.reduce((sum, name) => sum + weightOf(name), 0)
  if (total === 0) return []
  let left = replicas
  const shares = names.map(name => {
    const share = Math.floor((replicas * weightOf(name)) / total)
    left -= share
    return { name, replicas: share }
  })
  for (const share of shares) if (left-- > 0) share.replicas++
  return shares.filter(share => share.replicas > 0)
}
