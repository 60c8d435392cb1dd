import { now } from '../control-plane.ts'
import { withCondition } from './conditions.ts'
import { byKey, type Controller, controllerOf, create, objectKey, ownedBy, setStatus } from './host.ts'

/** Runs a Job's pods until enough of them have succeeded. */
export const jobController: Controller = ({ plane, watch, queue }) => {
  const enqueue = queue(key => {
    const job = byKey(plane, 'jobs.batch', key)
    if (!job || job.metadata.deletionTimestamp || job.spec.suspend) return
    const { namespace, uid, name } = job.metadata
    const pods = plane.store.list('pods', namespace).filter(pod => controllerOf(pod)?.uid === uid)
    const succeeded = pods.filter(pod => pod.status?.phase === 'Succeeded').length
    const wanted: number = job.spec.completions ?? 1
    const active = pods.filter(pod => !['Succeeded', 'Failed'].includes(pod.status?.phase)).length
    const missing = Math.min(job.spec.parallelism, wanted - succeeded) - active
    for (let n = 0; n < missing; n++) {
      create(plane, 'pods', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: '',
          generateName: `${name}-`,
          namespace: namespace as string,
          labels: { ...job.spec.template.metadata.labels },
          ownerReferences: [ownedBy(job)],
        },
        spec: job.spec.template.spec,
      })
    }
    const running = active + Math.max(0, missing)
    const complete = succeeded >= wanted
    const time = now(plane)
    const base = job.status ?? {}
    setStatus(plane, 'jobs.batch', job, {
      startTime: base.startTime ?? time,
      ...(running ? { active: running, ready: running } : { ready: 0 }),
      ...(succeeded ? { succeeded } : {}),
      ...(complete
        ? {
            completionTime: base.completionTime ?? time,
            conditions: withCondition(
              base.conditions,
              {
                type: 'Complete',
                status: 'True',
                reason: 'CompletionsReached',
                message: 'Reached expected number of succeeded pods',
              },
              time,
            ),
          }
        : {}),
    })
  })
  watch('jobs.batch', ({ type, object }) => type !== 'DELETED' && enqueue(objectKey(object)))
  watch('pods', ({ object }) => {
    const owner = controllerOf(object)
    if (owner?.kind === 'Job') enqueue(`${object.metadata.namespace}/${owner.name}`)
  })
}
