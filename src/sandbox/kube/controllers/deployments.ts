import { createHash } from 'node:crypto'
import { now } from '../control-plane.ts'
import { type Json, type KubeObject, same } from '../object.ts'
import { type Condition, withCondition } from './conditions.ts'
import { recordEvent } from './events.ts'
import { byKey, type Controller, controllerOf, create, objectKey, ownedBy, setStatus, update } from './host.ts'

const replicaSets = 'replicasets.apps'
const revision = 'deployment.kubernetes.io/revision'

function share(value: Json, of: number, up: boolean): number {
  if (typeof value === 'number') return value
  const part = (Number.parseFloat(value) / 100) * of
  return up ? Math.ceil(part) : Math.floor(part)
}

const hashOf = (template: Json) => {
  const { creationTimestamp, ...metadata } = template.metadata ?? {}
  return createHash('sha256')
    .update(JSON.stringify({ metadata, spec: template.spec }))
    .digest('hex')
    .slice(0, 10)
}

/** Rolls a Deployment out through ReplicaSets, within the limits of its strategy. */
export const deploymentController: Controller = ({ plane, watch, queue }) => {
  const enqueue = queue(key => {
    const deployment = byKey(plane, 'deployments.apps', key)
    if (!deployment || deployment.metadata.deletionTimestamp) return
    const { namespace, uid } = deployment.metadata
    const all = plane.store.list(replicaSets, namespace).filter(rs => controllerOf(rs)?.uid === uid)
    const hash = hashOf(deployment.spec.template)
    let current = all.find(rs => rs.metadata.labels?.['pod-template-hash'] === hash)
    const old = all.filter(rs => rs !== current)
    const wanted: number = deployment.spec.paused && !current ? 0 : deployment.spec.replicas
    const oldTotal = sum(old, rs => rs.spec.replicas)
    const { type, rollingUpdate } = deployment.spec.strategy
    const recreate = type === 'Recreate'
    const surge = recreate ? 0 : share(rollingUpdate.maxSurge, wanted, true)
    let spare = recreate ? wanted : share(rollingUpdate.maxUnavailable, wanted, false)
    if (surge === 0 && spare === 0) spare = 1
    // Recreate starts no new pod before the last old one is gone
    const oldPods = recreate && old.some(rs => (rs.status?.replicas ?? 0) > 0)
    const allowed = oldPods ? 0 : Math.max(0, Math.min(wanted, wanted + surge - oldTotal))
    const target = current ? Math.max(Math.min(current.spec.replicas, wanted), allowed) : allowed
    if (current) current = withAnnotationsOf(deployment, current)
    if (!current) current = makeReplicaSet(deployment, hash, target, all)
    else if (current.spec.replicas !== target) current = scale(current, target)
    let removable = sum([current, ...old], rs => rs.status?.availableReplicas ?? 0) - (wanted - spare)
    for (const rs of old) {
      if (rs.spec.replicas === 0) continue
      const broken = rs.spec.replicas - (rs.status?.availableReplicas ?? 0)
      const less = recreate ? rs.spec.replicas : Math.min(rs.spec.replicas, broken + Math.max(0, removable))
      removable -= Math.max(0, less - broken)
      if (less > 0) scale(rs, rs.spec.replicas - less)
    }
    writeStatus(deployment, current, old, wanted)
  })

  /** Copies a Deployment's annotations to its newest ReplicaSet. */
  function withAnnotationsOf(deployment: KubeObject, rs: KubeObject): KubeObject {
    const { [revision]: _, ...noted } = deployment.metadata.annotations ?? {}
    const annotations = { ...rs.metadata.annotations, ...noted }
    if (same(annotations, rs.metadata.annotations ?? {})) return rs
    return update(plane, replicaSets, { ...rs, metadata: { ...rs.metadata, annotations } })
  }

  function scale(rs: KubeObject, replicas: number): KubeObject {
    return update(plane, replicaSets, { ...rs, spec: { ...rs.spec, replicas } })
  }

  function makeReplicaSet(deployment: KubeObject, hash: string, replicas: number, all: KubeObject[]): KubeObject {
    const number = Math.max(0, ...all.map(rs => Number(rs.metadata.annotations?.[revision] ?? 0))) + 1
    const { template, selector } = deployment.spec
    const labels = { ...template.metadata.labels, 'pod-template-hash': hash }
    const name = `${deployment.metadata.name}-${hash}`
    const made = create(plane, replicaSets, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name,
        namespace: deployment.metadata.namespace as string,
        labels,
        annotations: { [revision]: String(number) },
        ownerReferences: [ownedBy(deployment)],
      },
      spec: {
        replicas,
        selector: { matchLabels: { ...selector.matchLabels, 'pod-template-hash': hash } },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    })
    const annotations = { ...deployment.metadata.annotations, [revision]: String(number) }
    update(plane, 'deployments.apps', { ...deployment, metadata: { ...deployment.metadata, annotations } })
    recordEvent(
      plane,
      deployment,
      'Normal',
      'ScalingReplicaSet',
      `Scaled up replica set ${name} from 0 to ${replicas}`,
      'deployment-controller',
    )
    return made
  }

  function writeStatus(seen: KubeObject, current: KubeObject, old: KubeObject[], wanted: number) {
    const deployment = byKey(plane, 'deployments.apps', objectKey(seen)) as KubeObject
    const every = [current, ...old]
    const count = (field: string, of = every) => sum(of, rs => rs.status?.[field] ?? 0)
    const replicas = count('replicas')
    const updated = count('replicas', [current])
    const available = count('availableReplicas')
    const enough =
      available >= wanted - share(deployment.spec.strategy.rollingUpdate?.maxUnavailable ?? 0, wanted, false)
    const done = updated === wanted && replicas === wanted && count('availableReplicas', [current]) === wanted
    const time = now(plane)
    const state: Condition = enough
      ? {
          type: 'Available',
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
        }
      : {
          type: 'Available',
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        }
    let conditions = withCondition(deployment.status?.conditions, state, time)
    conditions = withCondition(conditions, progress(deployment, current, done), time)
    const failures = (current.status?.conditions ?? []).filter((c: Condition) => c.type === 'ReplicaFailure')
    conditions = [...conditions.filter(c => c.type !== 'ReplicaFailure'), ...failures]
    const nonZero = (name: string, value: number) => (value > 0 ? { [name]: value } : {})
    setStatus(plane, 'deployments.apps', deployment, {
      observedGeneration: deployment.metadata.generation,
      ...nonZero('replicas', replicas),
      ...nonZero('updatedReplicas', updated),
      ...nonZero('readyReplicas', count('readyReplicas')),
      ...nonZero('availableReplicas', available),
      ...nonZero('unavailableReplicas', Math.max(0, wanted - available)),
      conditions: conditions.map(c => ({ lastUpdateTime: c.lastTransitionTime, ...c })),
    })
  }

  function progress(deployment: KubeObject, current: KubeObject, done: boolean): Condition {
    const before = deployment.status?.conditions?.find((c: Condition) => c.type === 'Progressing')
    const name = current.metadata.name
    if (done) {
      const message = `ReplicaSet "${name}" has successfully progressed.`
      return { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', message }
    }
    const deadline = deployment.spec.progressDeadlineSeconds * 1000
    const since = new Date(current.metadata.creationTimestamp as string).getTime()
    const left = since + deadline - plane.wallNow()
    if (left <= 0 || before?.reason === 'ProgressDeadlineExceeded') {
      const message = `ReplicaSet "${name}" has timed out progressing.`
      return { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message }
    }
    enqueue(objectKey(deployment), left)
    return {
      type: 'Progressing',
      status: 'True',
      reason: 'ReplicaSetUpdated',
      message: `ReplicaSet "${name}" is progressing.`,
    }
  }

  watch('deployments.apps', ({ type, object, previous }) => {
    const worthALook = (one: KubeObject) => ({ ...one, status: 0, metadata: one.metadata.annotations })
    if (type !== 'DELETED' && !(previous && same(worthALook(previous), worthALook(object)))) enqueue(objectKey(object))
  })
  watch(replicaSets, ({ object }) => {
    const owner = controllerOf(object)
    if (owner?.kind === 'Deployment') enqueue(`${object.metadata.namespace}/${owner.name}`)
  })
}

const sum = (list: KubeObject[], value: (object: KubeObject) => number) =>
  list.reduce((n, object) => n + value(object), 0)
