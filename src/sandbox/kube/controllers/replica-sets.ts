import { matchesLabelSelector } from '../selectors.ts'
import { byKey, type Controller, controllerOf, create, objectKey, ownedBy, remove, setStatus } from './host.ts'
import { podIsReady } from './pods.ts'

const id = 'replicasets.apps'

/** Keeps as many pods as a ReplicaSet asks for. */
export const replicaSetController: Controller = ({ plane, watch, queue }) => {
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
    for (let n = pods.length; n < rs.spec.replicas; n++) {
      pods.push(
        create(plane, 'pods', {
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
        }),
      )
    }
    // those that serve nobody yet go first
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
    })
  })
  watch(id, ({ type, object }) => type !== 'DELETED' && enqueue(objectKey(object)))
  watch('pods', ({ object }) => {
    const owner = controllerOf(object)
    if (owner?.kind === 'ReplicaSet') enqueue(`${object.metadata.namespace}/${owner.name}`)
  })
}
