import { type ControlPlane, now } from '../control-plane.ts'
import type { KubeObject } from '../object.ts'
import { matchesLabelSelector } from '../selectors.ts'
import { makeBackOff, refusedBy } from './back-off.ts'
import { type Condition, withCondition } from './conditions.ts'
import { recordEvent } from './events.ts'
import { byKey, type Controller, controllerOf, create, objectKey, ownedBy, remove, setStatus } from './host.ts'
import { podIsReady } from './pods.ts'

const id = 'replicasets.apps'

/** Keeps the number of pods that a ReplicaSet requests. */
export const replicaSetController: Controller = ({ plane, watch, queue }) => {
  const backOff = makeBackOff()
  const enqueue = queue(key => {
    const rs = byKey(plane, id, key)
    if (!rs || rs.metadata.deletionTimestamp) return
    const { namespace, uid, name } = rs.metadata
    const pods = plane.store
      .list('pods', namespace)
      .filter(
        pod => controllerOf(pod)?.uid === uid && !pod.metadata.deletionTimestamp && pod.status?.phase !== 'Failed',
      )
      .filter(pod => matchesLabelSelector(rs.spec.selector, pod.metadata.labels))
    let refusal = pods.length < rs.spec.replicas ? missingAccount(plane, rs) : undefined
    for (let n = pods.length; n < rs.spec.replicas && !refusal; n++) {
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: '',
          generateName: `${name}-`,
          namespace: namespace as string,
          labels: { ...rs.spec.template.metadata.labels },
          ...(rs.spec.template.metadata.annotations ? { annotations: rs.spec.template.metadata.annotations } : {}),
          ownerReferences: [ownedBy(rs)],
        },
        spec: rs.spec.template.spec,
      }
      refusal = refusedBy(() => pods.push(create(plane, 'pods', pod)))
      if (refusal) enqueue(key, backOff.after(key))
      else backOff.forget(key)
    }
    if (refusal)
      recordEvent(plane, rs, 'Warning', 'FailedCreate', `Error creating: ${refusal}`, 'replicaset-controller')
    // pods that are not ready yet go first
    const surplus = pods
      .sort((a, b) => Number(podIsReady(a)) - Number(podIsReady(b)))
      .slice(0, Math.max(0, pods.length - rs.spec.replicas))
    for (const pod of surplus) remove(plane, 'pods', pod)
    const left = pods.filter(pod => !surplus.includes(pod))
    const ready = left.filter(podIsReady).length
    setStatus(plane, id, rs, {
      replicas: left.length,
      ...(left.length ? { fullyLabeledReplicas: left.length } : {}),
      ...(ready ? { readyReplicas: ready, availableReplicas: ready } : {}),
      observedGeneration: rs.metadata.generation,
      ...(refusal ? { conditions: failureSince(rs, refusal, now(plane)) } : {}),
    })
  })
  watch(id, ({ type, object }) => type !== 'DELETED' && enqueue(objectKey(object)))
  watch('serviceaccounts', ({ type, object }) => {
    if (type !== 'ADDED') return
    for (const rs of plane.store.list(id, object.metadata.namespace)) enqueue(objectKey(rs))
  })
  watch('pods', ({ object }) => {
    const owner = controllerOf(object)
    if (owner?.kind === 'ReplicaSet') enqueue(`${object.metadata.namespace}/${owner.name}`)
  })
}

/** The refusal of pods whose service account does not exist. */
function missingAccount(plane: ControlPlane, { metadata, spec }: KubeObject): string | undefined {
  const { namespace, name } = metadata
  const account: string = spec.template.spec.serviceAccountName ?? spec.template.spec.serviceAccount ?? 'default'
  if (plane.store.get('serviceaccounts', namespace, account)) return undefined
  return `pods "${name}-" is forbidden: error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`
}

/** Keeps the first message, because later ones differ only in the names of pods. */
const failureSince = ({ status }: KubeObject, message: string, time: string): Condition[] =>
  status?.conditions?.some((c: Condition) => c.type === 'ReplicaFailure')
    ? status.conditions
    : withCondition(status?.conditions, failure(message), time)

const failure = (message: string): Condition => ({
  type: 'ReplicaFailure',
  status: 'True',
  reason: 'FailedCreate',
  message,
})
