import { type ControlPlane, now } from '../control-plane.ts'
import type { Json, KubeObject } from '../object.ts'
import { type Condition, withCondition } from './conditions.ts'
import { setStatus } from './host.ts'

export const podIsReady = (pod: KubeObject): boolean =>
  !pod.metadata.deletionTimestamp &&
  (pod.status?.conditions ?? []).some((c: Condition) => c.type === 'Ready' && c.status === 'True')

export type ContainerState =
  | { kind: 'waiting'; reason: string; message?: string }
  | { kind: 'running'; ready: boolean }
  | { kind: 'terminated'; reason: string; exitCode: number; message?: string }

export interface PodState {
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
  container: ContainerState
  restarts?: number
  /** The container's last termination. */
  last?: { exitCode: number; message: string } | undefined
  podIP?: string | undefined
  hostIP?: string | undefined
}

function stateOf(state: ContainerState, time: string): Json {
  if (state.kind === 'running') return { running: { startedAt: time } }
  const { kind, ...rest } = state
  return { [kind]: kind === 'terminated' ? { ...rest, startedAt: time, finishedAt: time } : rest }
}

/** Writes the status that the kubelet of a pod's node would report. */
export function reportPod(plane: ControlPlane, pod: KubeObject, state: PodState): void {
  const time = now(plane)
  const ready = state.container.kind === 'running' && state.container.ready
  const done = state.phase === 'Succeeded'
  const names = pod.spec.containers.map((c: Json) => c.name)
  const unready = done
    ? { reason: 'PodCompleted' }
    : { reason: 'ContainersNotReady', message: `containers with unready status: [${names.join(' ')}]` }
  const say = (type: string, good: boolean): Condition => ({
    type,
    status: good ? 'True' : 'False',
    ...(good ? {} : unready),
  })
  let conditions: Condition[] = pod.status?.conditions ?? []
  const initialized = state.phase !== 'Pending' || state.container.kind === 'running'
  for (const condition of [
    { type: 'PodScheduled', status: 'True' } as Condition,
    { type: 'Initialized', status: 'True' } as Condition,
    say('ContainersReady', ready),
    say('Ready', ready),
  ]) {
    const before = conditions.find(c => c.type === condition.type)
    if (before && condition.status === 'True' && before.status !== 'True') {
      conditions = conditions.map(c =>
        c === before ? { type: c.type, status: c.status, lastTransitionTime: c.lastTransitionTime ?? time } : c,
      )
    }
    conditions = withCondition(conditions, condition, time)
  }
  const previous = pod.status?.containerStatuses?.[0]
  const sameKind = previous?.state && state.container.kind in previous.state
  setStatus(plane, 'pods', pod, {
    phase: state.phase,
    conditions,
    ...(state.hostIP ? { hostIP: state.hostIP } : {}),
    ...(state.podIP ? { podIP: state.podIP, podIPs: [{ ip: state.podIP }] } : {}),
    startTime: pod.status?.startTime ?? time,
    containerStatuses: pod.spec.containers.map((container: Json) => ({
      name: container.name,
      image: container.image,
      imageID: initialized ? `sandbox://${container.image}` : '',
      ready,
      started: state.container.kind === 'running',
      restartCount: state.restarts ?? 0,
      state: sameKind && state.container.kind === 'running' ? previous.state : stateOf(state.container, time),
      lastState: state.last
        ? {
            terminated: {
              exitCode: state.last.exitCode,
              reason: 'Error',
              message: state.last.message,
              startedAt: time,
              finishedAt: time,
            },
          }
        : {},
    })),
    qosClass: pod.status?.qosClass ?? 'BestEffort',
  })
}
