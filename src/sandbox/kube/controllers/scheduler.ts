import { now } from '../control-plane.ts'
import type { Json, KubeObject } from '../object.ts'
import { matchesLabelSelector } from '../selectors.ts'
import { withCondition } from './conditions.ts'
import { recordEvent } from './events.ts'
import { byKey, type Controller, objectKey, setStatus } from './host.ts'

/** Assigns each pod a suitable node, or records why there is none. */
export const scheduler: Controller = ({ plane, watch, queue }) => {
  const unplaced = new Set<string>()
  const enqueue = queue(key => {
    const pod = byKey(plane, 'pods', key)
    if (!pod || pod.spec.nodeName || pod.metadata.deletionTimestamp) return void unplaced.delete(key)
    const claims = (pod.spec.volumes ?? []).flatMap((v: Json) => v.persistentVolumeClaim?.claimName ?? [])
    const nodes = plane.store.list('nodes')
    const reasons = new Map<string, number>()
    const missing = claims.find(
      (name: string) => !plane.store.get('persistentvolumeclaims', pod.metadata.namespace, name),
    )
    const unbound = claims.some((name: string) => {
      const claim = plane.store.get('persistentvolumeclaims', pod.metadata.namespace, name)
      return claim && claim.status?.phase !== 'Bound' && !waitsForPod(claim)
    })
    if (missing) return refuse(pod, `persistentvolumeclaim "${missing}" not found`)
    if (unbound)
      return refuse(
        pod,
        `0/${nodes.length} nodes are available: pod has unbound immediate PersistentVolumeClaims. not found`,
      )
    const waits = claims.some(
      (name: string) =>
        plane.store.get('persistentvolumeclaims', pod.metadata.namespace, name)?.status?.phase !== 'Bound',
    )
    // a node is chosen and the volume is awaited: the real scheduler reports nothing about the pod meanwhile
    if (waits) return void unplaced.add(key)
    const peers = plane.store.list('pods').filter(p => p.spec.nodeName && p.metadata.uid !== pod.metadata.uid)
    const fitting = nodes.filter(node => {
      const why = problem(node, pod, peers)
      if (why) reasons.set(why, (reasons.get(why) ?? 0) + 1)
      return !why
    })
    const load = (node: KubeObject) => peers.filter(p => p.spec.nodeName === node.metadata.name).length
    const node = fitting.sort((a, b) => load(a) - load(b))[0]
    if (!node) {
      const why =
        [...reasons].map(([reason, n]) => `${n} ${reason}`).join(', ') || 'no nodes available to schedule pods'
      return refuse(pod, `0/${nodes.length} nodes are available: ${why}.`)
    }
    unplaced.delete(key)
    const conditions = withCondition(pod.status?.conditions, { type: 'PodScheduled', status: 'True' }, now(plane))
    plane.store.put('pods', {
      ...pod,
      spec: { ...pod.spec, nodeName: node.metadata.name },
      status: { ...pod.status, conditions },
    })
    recordEvent(
      plane,
      pod,
      'Normal',
      'Scheduled',
      `Successfully assigned ${key} to ${node.metadata.name}`,
      'default-scheduler',
    )
  })

  const waitsForPod = (claim: KubeObject) => {
    const found = plane.store.get('storageclasses.storage.k8s.io', undefined, claim.spec.storageClassName ?? '')
    return found?.volumeBindingMode === 'WaitForFirstConsumer'
  }

  function refuse(pod: KubeObject, message: string): void {
    unplaced.add(objectKey(pod))
    const condition = { type: 'PodScheduled', status: 'False' as const, reason: 'Unschedulable', message }
    setStatus(plane, 'pods', pod, {
      ...pod.status,
      conditions: withCondition(pod.status?.conditions, condition, now(plane)),
    })
    recordEvent(plane, pod, 'Warning', 'FailedScheduling', message, 'default-scheduler')
  }

  watch('pods', ({ type, object }) => {
    if (type === 'ADDED' && !object.spec.nodeName) enqueue(objectKey(object))
    if (type === 'DELETED') for (const key of unplaced) enqueue(key, 5)
  })
  watch(['nodes', 'persistentvolumeclaims'], () => {
    for (const key of unplaced) enqueue(key, 5)
  })
}

function problem(node: KubeObject, pod: KubeObject, peers: KubeObject[]): string | undefined {
  const labels = node.metadata.labels ?? {}
  if (node.spec?.unschedulable) return 'node(s) were unschedulable'
  for (const taint of node.spec?.taints ?? []) {
    if (taint.effect === 'PreferNoSchedule') continue
    const tolerated = (pod.spec.tolerations ?? []).some(
      (t: Json) =>
        (!t.effect || t.effect === taint.effect) &&
        (t.operator === 'Exists'
          ? !t.key || t.key === taint.key
          : t.key === taint.key && (t.value ?? '') === (taint.value ?? '')),
    )
    if (!tolerated) return `node(s) had untolerated taint(s)`
  }
  for (const [key, value] of Object.entries(pod.spec.nodeSelector ?? {})) {
    if (labels[key] !== value) return "node(s) didn't match Pod's node affinity/selector"
  }
  const required = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  for (const term of required) {
    const clash = peers.some(
      peer =>
        peer.spec.nodeName === node.metadata.name &&
        peer.metadata.namespace === pod.metadata.namespace &&
        matchesLabelSelector(term.labelSelector, peer.metadata.labels),
    )
    if (clash) return "node(s) didn't match pod anti-affinity rules"
  }
  return undefined
}
