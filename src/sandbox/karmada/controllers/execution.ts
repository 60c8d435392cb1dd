import { now } from '../../kube/control-plane.ts'
import { type Condition, withCondition } from '../../kube/controllers/conditions.ts'
import { byKey, type ControllerHost, objectKey, setStatus, update } from '../../kube/controllers/host.ts'
import { type Json, type KubeObject, same } from '../../kube/object.ts'
import { isReady } from '../conditions-of.ts'
import type { MemberClients } from '../member-clients.ts'
import { applyManifest, readManifest, removeManifest } from '../member-objects.ts'
import { bootstrapIds, executionPrefix, finalizers } from '../names.ts'

/** Applies Works to their members, removes them again, and reports the result. */
export function executionController({ plane, timings, watch, queue }: ControllerHost, clients: MemberClients): void {
  const failures = new Map<string, number>()
  const enqueue = queue(async key => {
    const work = byKey(plane, bootstrapIds.works, key)
    if (!work) return void failures.delete(key)
    const clusterName = (work.metadata.namespace as string).slice(executionPrefix.length)
    const cluster = plane.store.get(bootstrapIds.clusters, undefined, clusterName)
    if (work.metadata.deletionTimestamp) return undo(key, work, cluster)
    if (work.spec.suspendDispatching || !cluster || cluster.metadata.deletionTimestamp) return
    if (!isReady(cluster)) return enqueue(key, timings.workRetry)
    const client = clients.of(clusterName)
    const problems: string[] = []
    if ('error' in client) problems.push(client.error)
    else {
      for (const manifest of manifestsOf(work)) {
        const problem = await applyManifest(plane, client, manifest).catch((error: Error) => error.message)
        if (problem) problems.push(problem)
      }
    }
    const bad = problems.length > 0
    say(key, {
      type: 'Applied',
      status: bad ? 'False' : 'True',
      reason: bad ? 'AppliedFailed' : 'AppliedSuccessful',
      message: bad
        ? `Failed to apply all manifests (${problems.length}/${manifestsOf(work).length}): ${problems.join('; ')}`
        : 'Manifest has been successfully applied',
    })
    if (bad) return retry(key)
    failures.delete(key)
    reflect(key, 10)
  })

  /** The pauses double, up to a few minutes. */
  function retry(key: string): void {
    const count = (failures.get(key) ?? 0) + 1
    failures.set(key, count)
    enqueue(key, Math.min(timings.workRetry * 2 ** (count - 1), timings.workRetry * 300))
  }

  async function undo(key: string, work: KubeObject, cluster: KubeObject | undefined): Promise<void> {
    // an unreachable member keeps its objects once its Cluster is being deleted
    const skip = !cluster || (!isReady(cluster) && cluster.metadata.deletionTimestamp !== undefined)
    if (!skip) {
      const client = clients.of(cluster.metadata.name)
      const problems: string[] = []
      if ('error' in client) problems.push(client.error)
      else {
        for (const manifest of manifestsOf(work)) {
          const keep = work.spec.preserveResourcesOnDeletion === true
          const problem = await removeManifest(plane, client, manifest, keep).catch((error: Error) => error.message)
          if (problem) problems.push(problem)
        }
      }
      if (problems.length > 0) return retry(key)
    }
    failures.delete(key)
    const current = byKey(plane, bootstrapIds.works, key)
    if (!current) return
    const left = (current.metadata.finalizers ?? []).filter(f => f !== finalizers.work)
    update(plane, bootstrapIds.works, { ...current, metadata: { ...current.metadata, finalizers: left } })
  }

  /** Copies the status of applied objects back, more often while it still changes. */
  const reflect = queue(async key => {
    const work = byKey(plane, bootstrapIds.works, key)
    if (!work || work.metadata.deletionTimestamp) return
    const clusterName = (work.metadata.namespace as string).slice(executionPrefix.length)
    const client = clients.of(clusterName)
    if ('error' in client || !isReady(plane.store.get(bootstrapIds.clusters, undefined, clusterName))) return
    const statuses: Json[] = []
    let moving = false
    for (const [ordinal, manifest] of manifestsOf(work).entries()) {
      const live = await readManifest(plane, client, manifest).catch(() => undefined)
      if (!live) continue
      const [group = '', version = ''] = manifest.apiVersion.includes('/')
        ? manifest.apiVersion.split('/')
        : ['', manifest.apiVersion]
      const { name, namespace } = manifest.metadata
      const healthy = isHealthy(live)
      moving ||= !healthy
      statuses.push({
        identifier: {
          ordinal,
          group,
          version,
          kind: manifest.kind,
          resource: '',
          ...(namespace ? { namespace } : {}),
          name,
        },
        ...(live.status ? { status: live.status } : {}),
        health: healthy ? 'Healthy' : 'Unhealthy',
      })
    }
    const current = byKey(plane, bootstrapIds.works, key)
    if (!current) return
    if (!same(current.status?.manifestStatuses, statuses)) {
      setStatus(plane, bootstrapIds.works, current, { ...current.status, manifestStatuses: statuses })
    }
    const isWorkload = manifestsOf(work).some(m => m.spec?.template !== undefined)
    if (isWorkload) reflect(key, moving ? timings.workRetry : timings.clusterProbe)
  })

  function say(key: string, condition: Condition): void {
    const work = byKey(plane, bootstrapIds.works, key)
    if (!work) return
    const conditions = withCondition(work.status?.conditions, condition, now(plane))
    setStatus(plane, bootstrapIds.works, work, { ...work.status, conditions })
  }

  watch(bootstrapIds.works, ({ type, object, previous }) => {
    if (type === 'DELETED') return
    const touched =
      !previous ||
      !same(previous.spec, object.spec) ||
      previous.metadata.deletionTimestamp !== object.metadata.deletionTimestamp
    if (touched) enqueue(objectKey(object))
  })
  watch(bootstrapIds.clusters, ({ object, previous }) => {
    const changed = previous && isReady(previous) !== isReady(object)
    if (!changed && previous?.metadata.deletionTimestamp === object.metadata.deletionTimestamp) return
    for (const work of plane.store.list(bootstrapIds.works, `${executionPrefix}${object.metadata.name}`))
      enqueue(objectKey(work))
  })
}

const manifestsOf = (work: KubeObject): KubeObject[] => work.spec?.workload?.manifests ?? []

function isHealthy({ kind, spec, status, metadata }: KubeObject): boolean {
  if (!['Deployment', 'StatefulSet', 'ReplicaSet'].includes(kind)) return true
  const wanted = spec?.replicas ?? 1
  return (
    status?.observedGeneration === metadata.generation &&
    (status?.readyReplicas ?? 0) === wanted &&
    (status?.updatedReplicas ?? wanted) === wanted
  )
}
