import { createHash } from 'node:crypto'
import type { Json, KubeObject } from '../object.ts'
import { makeBackOff, refusedBy } from './back-off.ts'
import { recordEvent } from './events.ts'
import { byKey, type Controller, controllerOf, create, objectKey, ownedBy, remove, setStatus } from './host.ts'
import { podIsReady } from './pods.ts'

const id = 'statefulsets.apps'
const revisionLabel = 'controller-revision-hash'

/** Keeps the numbered pods of a StatefulSet and their claims; one after the other unless its policy is Parallel. */
export const statefulSetController: Controller = ({ plane, watch, queue }) => {
  const backOff = makeBackOff()
  const enqueue = queue(key => {
    const set = byKey(plane, id, key)
    if (!set || set.metadata.deletionTimestamp) return
    const { namespace, uid, name } = set.metadata
    const parallel = set.spec.podManagementPolicy === 'Parallel'
    const hash = createHash('sha256').update(JSON.stringify(set.spec.template)).digest('hex').slice(0, 10)
    const revision = `${name}-${hash}`
    const pods = plane.store.list('pods', namespace).filter(pod => controllerOf(pod)?.uid === uid)
    const wanted = Array.from({ length: set.spec.replicas }, (_, i) => `${name}-${i}`)
    for (const [i, podName] of wanted.entries()) {
      const pod = pods.find(p => p.metadata.name === podName)
      if (!pod) {
        const say = (type: 'Normal' | 'Warning', reason: string, end: string) =>
          recordEvent(
            plane,
            set,
            type,
            reason,
            `create Pod ${podName} in StatefulSet ${name} ${end}`,
            'statefulset-controller',
          )
        const refusal = refusedBy(() => pods.push(makePod(set, podName, i, revision)))
        if (refusal) {
          say('Warning', 'FailedCreate', `failed error: ${refusal}`)
          enqueue(key, backOff.after(key))
          break
        }
        backOff.forget(key)
        say('Normal', 'SuccessfulCreate', 'successful')
      }
      if (!parallel && !(pod && podIsReady(pod))) break
    }
    const surplus = pods.filter(pod => !wanted.includes(pod.metadata.name))
    for (const pod of surplus) if (!pod.metadata.deletionTimestamp) remove(plane, 'pods', pod)
    const alive = pods.filter(pod => !surplus.includes(pod))
    const stale = alive.filter(pod => pod.metadata.labels?.[revisionLabel] !== revision)
    // updates from the last to the first, each once the previous one is ready; a pod that was never ready is replaced
    // at once
    const others = alive.filter(pod => !stale.includes(pod))
    const next = stale.at(-1)
    if (set.spec.updateStrategy?.type !== 'OnDelete' && next && !next.metadata.deletionTimestamp) {
      if (others.every(podIsReady)) remove(plane, 'pods', next)
    }
    const ready = alive.filter(podIsReady).length
    setStatus(plane, id, set, {
      observedGeneration: set.metadata.generation,
      replicas: alive.length,
      ...(ready ? { readyReplicas: ready, availableReplicas: ready } : { availableReplicas: 0 }),
      ...(stale.length === 0
        ? { currentReplicas: alive.length, currentRevision: revision }
        : { currentRevision: set.status?.currentRevision ?? revision }),
      updatedReplicas: others.length,
      updateRevision: revision,
      collisionCount: 0,
    })
  })

  function makePod(set: KubeObject, name: string, index: number, revision: string): KubeObject {
    const namespace = set.metadata.namespace as string
    const { template, volumeClaimTemplates = [] } = set.spec
    const claims = volumeClaimTemplates.map((claim: Json) => {
      const claimName = `${claim.metadata.name}-${name}`
      if (!plane.store.get('persistentvolumeclaims', namespace, claimName)) {
        const labels = { ...claim.metadata.labels, ...set.spec.selector.matchLabels }
        create(plane, 'persistentvolumeclaims', {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { ...claim.metadata, name: claimName, namespace, labels },
          spec: claim.spec,
        })
      }
      return { name: claim.metadata.name, persistentVolumeClaim: { claimName } }
    })
    const labels = {
      ...template.metadata.labels,
      'apps.kubernetes.io/pod-index': String(index),
      [revisionLabel]: revision,
      'statefulset.kubernetes.io/pod-name': name,
    }
    return create(plane, 'pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace,
        labels,
        ...(template.metadata.annotations ? { annotations: template.metadata.annotations } : {}),
        ownerReferences: [ownedBy(set)],
      },
      spec: {
        ...template.spec,
        hostname: name,
        subdomain: set.spec.serviceName,
        volumes: [...(template.spec.volumes ?? []), ...claims],
      },
    })
  }

  watch(id, ({ type, object }) => type !== 'DELETED' && enqueue(objectKey(object)))
  watch('pods', ({ object }) => {
    const owner = controllerOf(object)
    if (owner?.kind === 'StatefulSet') enqueue(`${object.metadata.namespace}/${owner.name}`)
  })
}
