import type { ControlPlane } from '../control-plane.ts'
import type { Json, KubeObject } from '../object.ts'
import { isTurnedOff } from '../seed.ts'
import { recordEvent } from './events.ts'
import { byKey, type Controller, objectKey } from './host.ts'
import { type PodState, reportPod } from './pods.ts'

export type ProcessReport =
  | { kind: 'ready' }
  | { kind: 'unready' }
  /** The process ended, with the last line of its log. */
  | { kind: 'died'; message: string }

/** The simulated programs of pods: the components of a federation's control plane. Returns a function that stops one. */
export type PodRuntime = (pod: KubeObject, report: (state: ProcessReport) => void) => (() => void) | undefined

interface Running {
  uid: string
  stop: (() => void) | undefined
  started: boolean
  restarts: number
  last: { exitCode: number; message: string } | undefined
}

/** The kubelets of all nodes: start the containers of scheduled pods, and stop those of deleted pods. */
export const kubelet =
  (runtime?: PodRuntime): Controller =>
  ({ plane, timings, watch, queue, onStop }) => {
    const running = new Map<string, Running>()
    let addresses = 0
    const enqueue = queue(key => {
      const pod = byKey(plane, 'pods', key)
      const current = running.get(key)
      if (current && current.uid !== pod?.metadata.uid) stop(key)
      if (!pod?.spec.nodeName) return
      // without a kubelet the pod stays until its node is back
      if (pod.metadata.deletionTimestamp) return isOff(plane, pod.spec.nodeName) ? undefined : end(pod)
      if (current?.uid === pod.metadata.uid || ['Succeeded', 'Failed'].includes(pod.status?.phase)) return
      if (isOff(plane, pod.spec.nodeName)) return
      const missing = missingVolume(plane, pod)
      if (missing) {
        report(pod, { phase: 'Pending', container: { kind: 'waiting', reason: 'ContainerCreating' } })
        recordEvent(plane, pod, 'Warning', 'FailedMount', missing, 'kubelet')
        return
      }
      const bad = pod.spec.containers.find((c: Json) => c.image.includes('no-such-image'))
      if (bad) return refuseImage(pod, bad.image)
      const entry: Running = {
        uid: pod.metadata.uid as string,
        stop: undefined,
        started: false,
        restarts: 0,
        last: undefined,
      }
      running.set(key, entry)
      report(pod, { phase: 'Pending', container: { kind: 'waiting', reason: 'ContainerCreating' } })
      start(key, timings.podStart)
    })

    /** Runs the pod's program, and restarts it when it ends. */
    const start = queue(key => {
      const entry = running.get(key)
      const pod = byKey(plane, 'pods', key)
      if (!entry || pod?.metadata.uid !== entry.uid || pod.metadata.deletionTimestamp) return
      entry.started = true
      tell(key, { kind: 'running', ready: false })
      for (const container of pod.spec.containers) {
        recordEvent(plane, pod, 'Normal', 'Started', `Started container ${container.name}`, 'kubelet')
      }
      if (pod.spec.restartPolicy !== 'Always') return finish(key, timings.jobRun)
      const stopProcess = runtime?.(pod, state => onReport(key, entry, state))
      if (stopProcess) entry.stop = stopProcess
      else ready(key, timings.podReady)
    })

    const ready = queue(key => {
      if (running.get(key)?.started) tell(key, { kind: 'running', ready: true })
    })
    const finish = queue(key => {
      const pod = byKey(plane, 'pods', key)
      if (pod) report(pod, { phase: 'Succeeded', container: { kind: 'terminated', reason: 'Completed', exitCode: 0 } })
    })

    function onReport(key: string, entry: Running, state: ProcessReport) {
      if (running.get(key) !== entry) return
      if (state.kind !== 'died') return tell(key, { kind: 'running', ready: state.kind === 'ready' })
      entry.stop?.()
      entry.stop = undefined
      entry.last = { exitCode: 1, message: state.message }
      const pod = byKey(plane, 'pods', key)
      if (!pod) return
      const name = pod.spec.containers[0].name
      const backOff = `back-off 10s restarting failed container=${name} pod=${pod.metadata.name}_${pod.metadata.namespace}(${entry.uid})`
      tell(key, { kind: 'waiting', reason: 'CrashLoopBackOff', message: backOff })
      recordEvent(
        plane,
        pod,
        'Warning',
        'BackOff',
        `Back-off restarting failed container ${name} in pod ${pod.metadata.name}_${pod.metadata.namespace}(${entry.uid})`,
        'kubelet',
      )
      entry.restarts++
      start(key, timings.podRestart)
    }

    function tell(key: string, container: PodState['container']): void {
      const pod = byKey(plane, 'pods', key)
      const entry = running.get(key)
      if (!pod || !entry || pod.metadata.deletionTimestamp) return
      report(pod, { phase: 'Running', container, restarts: entry.restarts, last: entry.last })
    }

    function report(pod: KubeObject, state: PodState): void {
      const node = plane.store.get('nodes', undefined, pod.spec.nodeName)
      const address = node?.status?.addresses?.find((a: Json) => a.type === 'InternalIP')?.address
      const podIP =
        pod.status?.podIP ?? (state.phase === 'Running' ? `10.244.${++addresses >> 8}.${addresses & 255}` : undefined)
      reportPod(plane, pod, { ...state, podIP, hostIP: address })
    }

    function refuseImage(pod: KubeObject, image: string): void {
      const message = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`
      const waiting = {
        kind: 'waiting' as const,
        reason: 'ErrImagePull',
        message: `rpc error: code = NotFound desc = ${message}`,
      }
      report(pod, { phase: 'Pending', container: waiting })
      recordEvent(plane, pod, 'Normal', 'Pulling', `Pulling image "${image}"`, 'kubelet')
      recordEvent(plane, pod, 'Warning', 'Failed', `Failed to pull image "${image}": ${waiting.message}`, 'kubelet')
      recordEvent(plane, pod, 'Warning', 'Failed', 'Error: ErrImagePull', 'kubelet')
    }

    function stop(key: string): void {
      running.get(key)?.stop?.()
      running.delete(key)
    }

    function end(pod: KubeObject): void {
      stop(objectKey(pod))
      remove(objectKey(pod), timings.podStop)
    }
    const remove = queue(key => {
      const pod = byKey(plane, 'pods', key)
      if (!pod?.metadata.deletionTimestamp) return
      const ended = { ...pod, metadata: { ...pod.metadata, deletionGracePeriodSeconds: 0 } }
      if (pod.metadata.finalizers?.length) plane.store.put('pods', ended)
      else plane.store.remove('pods', pod.metadata.namespace, pod.metadata.name)
    })

    watch('pods', ({ type, object, previous }) => {
      if (type === 'DELETED') return stop(objectKey(object))
      const moved =
        !previous?.spec.nodeName || object.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp
      if (object.spec.nodeName && moved) enqueue(objectKey(object))
    })
    watch(['secrets', 'configmaps', 'persistentvolumeclaims'], ({ type, object }) => {
      if (type === 'DELETED') return
      for (const pod of plane.store.list('pods', object.metadata.namespace)) {
        if (pod.spec.nodeName && !running.has(objectKey(pod))) enqueue(objectKey(pod), 5)
      }
    })
    watch('nodes', ({ object: node }) => {
      for (const pod of plane.store.list('pods')) {
        if (pod.spec.nodeName !== node.metadata.name) continue
        const key = objectKey(pod)
        if (!isOff(plane, pod.spec.nodeName)) enqueue(key)
        else if (running.has(key)) {
          stop(key)
          report(pod, { phase: 'Running', container: { kind: 'running', ready: false } })
        }
      }
    })
    onStop(() => {
      for (const key of [...running.keys()]) stop(key)
    })
  }

/** Whether the node has no power, so that its kubelet does not report. */
const isOff = (plane: ControlPlane, node: string): boolean => isTurnedOff(plane.store.get('nodes', undefined, node))

/** kubelet's message about a volume that cannot be mounted. */
function missingVolume(plane: ControlPlane, pod: KubeObject): string | undefined {
  const { namespace } = pod.metadata
  const lacks = (id: string, name: string, optional: boolean | undefined) =>
    !optional && !plane.store.get(id, namespace, name)
  for (const volume of pod.spec.volumes ?? []) {
    const wanted: [string, string, boolean | undefined][] = []
    if (volume.secret) wanted.push(['secrets', volume.secret.secretName, volume.secret.optional])
    if (volume.configMap) wanted.push(['configmaps', volume.configMap.name, volume.configMap.optional])
    for (const source of volume.projected?.sources ?? []) {
      if (source.secret) wanted.push(['secrets', source.secret.name, source.secret.optional])
      if (source.configMap) wanted.push(['configmaps', source.configMap.name, source.configMap.optional])
    }
    for (const [id, name, optional] of wanted) {
      if (!lacks(id, name, optional)) continue
      return `MountVolume.SetUp failed for volume "${volume.name}" : ${id === 'secrets' ? 'secret' : 'configmap'} "${name}" not found`
    }
    const claim = volume.persistentVolumeClaim?.claimName
    const phase = claim && plane.store.get('persistentvolumeclaims', namespace, claim)?.status?.phase
    if (claim && phase !== 'Bound') return `Unable to attach or mount volumes: claim "${claim}" is not bound`
  }
  return undefined
}
