/** Finds out from its pods why a workload does not become ready, as a user would with kubectl describe and logs. */

import type { Advice } from '../../core/next-step.ts'
import type { ClusterApi } from '../api/cluster-api.ts'
import { isForbidden } from '../api/errors.ts'
import { latestEvent, recentWarnings } from '../api/events.ts'
import { type KubeObject, refOf } from '../api/object.ts'
import { refusalOf } from '../api/refusal.ts'
import { labelSelector } from '../api/selector.ts'
import { as, type Deployment, type Pod } from '../api/typed.ts'
import { claimAdvice, pendingClaim } from './claim-trouble.ts'

export interface Trouble extends Advice {
  /** `pod etcd-0 cannot get its image "x": …` */
  text: string
  /** Waiting longer will not help. */
  hopeless: boolean
  /** How often this pod has crashed so far, for any reason. */
  crashes?: { uid: string; times: number }
  /** Pods are refused at their creation. The report may be older than a repair. */
  refused?: true
}

const imageReasons = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull', 'ErrImageInspect']
/** At the first crashes the program may be waiting for another one; after this many, waiting does not help. */
const manyRestarts = 4
const logLines = 5
/** Reads more lines than are shown, since audit events are mixed into a server's log. */
const moreLines = 50
const isAudit = (line: string): boolean => line.startsWith('{"kind":"Event","apiVersion":"audit.k8s.io')

export async function podTrouble(
  api: ClusterApi,
  workload: KubeObject,
  signal: AbortSignal,
): Promise<Trouble | undefined> {
  const selector = labelSelector(as<Deployment>(workload).spec?.selector?.matchLabels ?? {})
  const { namespace } = workload.metadata
  if (!selector || namespace === undefined) return undefined
  try {
    const pods = await api.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace, labels: selector, signal })
    const living = pods.items.filter(p => !p.metadata.deletionTimestamp)
    const short = living.length < (as<Deployment>(workload).spec?.replicas ?? 1)
    const [refusal, ...troubles] = await Promise.all([
      refusalOf(api, workload, short, signal),
      ...living.map(pod => ofPod(api, pod, signal)),
    ])
    const found = troubles.filter(t => t !== undefined)
    const refused: Trouble[] = refusal
      ? [{ text: refusal.text, hopeless: refusal.final, refused: true, hint: refusedHint }]
      : []
    const all = [...refused, ...found]
    if (all.length === 0 && living.length === 0) return await withoutPods(api, workload, signal)
    return all.find(t => t.hopeless) ?? all[0]
  } catch (error) {
    if (isForbidden(error)) return undefined // without the right to list pods, only the workload's own status is known
    throw error
  }
}

const refusedHint =
  'a quota, a limit range or a policy of the host forbids it: have that changed, or use --resources, --requests, --limits or --priority-class'

async function withoutPods(api: ClusterApi, workload: KubeObject, signal: AbortSignal): Promise<Trouble | undefined> {
  const [warning] = await recentWarnings(api, refOf(workload), 1, signal)
  return warning ? { text: `no pod is created: ${warning}`, hopeless: false } : undefined
}

async function ofPod(api: ClusterApi, object: KubeObject, signal: AbortSignal): Promise<Trouble | undefined> {
  const pod = as<Pod>(object)
  const name = `pod ${object.metadata.name}`
  const {
    phase,
    conditions = [],
    initContainerStatuses = [],
    containerStatuses = [],
    message,
    reason,
  } = pod.status ?? {}
  if (phase === 'Failed')
    return { text: `${name} failed: ${message ?? reason ?? 'no reason reported'}`, hopeless: false }
  const scheduled = conditions.find(c => c.type === 'PodScheduled')
  if (scheduled?.status === 'False') return unschedulable(api, object, scheduled.message ?? '', signal)
  // while the pod waits for a volume, the scheduler may not set the condition at all
  if (!scheduled) {
    const claim = await pendingClaim(api, object, signal)
    return claim ? { text: `${name} waits: ${claim}`, hopeless: false, ...claimAdvice } : undefined
  }
  for (const container of [...initContainerStatuses, ...containerStatuses]) {
    const { waiting } = container.state ?? {}
    const why = waiting?.reason ?? ''
    const more = waiting?.message ? `: ${waiting.message}` : ''
    if (imageReasons.includes(why)) {
      return {
        text: `${name} cannot get its image ${container.image} (${why}${more})`,
        hopeless: true,
        hint: 'is the name right, can the nodes reach the registry, and does it need a pull secret?',
      }
    }
    if (why === 'CrashLoopBackOff' || (container.restartCount > 0 && !container.ready)) {
      return crashing(api, object, container, signal)
    }
    if (why === 'ContainerCreating' || why === 'PodInitializing') return starting(api, object, signal)
    if (/^(Create|Run|Start|PreStart|PostStart).*Error$/.test(why)) {
      return { text: `${name} cannot start ${container.name} (${why}${more})`, hopeless: false }
    }
  }
  return undefined
}

/** Reports an image that is still being pulled, or a volume that cannot be attached. */
async function starting(api: ClusterApi, pod: KubeObject, signal: AbortSignal): Promise<Trouble | undefined> {
  const event = await latestEvent(api, refOf(pod), signal)
  if (!event || (event.type !== 'Warning' && event.reason !== 'Pulling')) return undefined
  return { text: `pod ${pod.metadata.name} is not started yet: ${event.reason}: ${event.message}`, hopeless: false }
}

async function crashing(
  api: ClusterApi,
  pod: KubeObject,
  container: {
    name: string
    restartCount: number
    lastState?: { terminated?: { exitCode?: number; reason?: string } }
  },
  signal: AbortSignal,
): Promise<Trouble> {
  const which = { container: container.name, lines: moreLines, signal }
  const log = (await api.logs(refOf(pod), { ...which, previous: true })) ?? (await api.logs(refOf(pod), which))
  const lastLines = log
    ?.split('\n')
    .filter(line => !isAudit(line))
    .slice(-logLines)
    .join('\n')
  const last = container.lastState?.terminated
  const how = last ? ` (exit ${last.exitCode}${last.reason && last.reason !== 'Error' ? `, ${last.reason}` : ''})` : ''
  const times = `${container.restartCount} ${container.restartCount === 1 ? 'time' : 'times'}`
  return {
    text: `pod ${pod.metadata.name} crashes: ${container.name} was restarted ${times}${how}${lastLines ? `; the end of its log:\n${lastLines}` : ''}`,
    hopeless: container.restartCount >= manyRestarts,
    crashes: { uid: pod.metadata.uid ?? '', times: container.restartCount },
  }
}

async function unschedulable(api: ClusterApi, pod: KubeObject, message: string, signal: AbortSignal): Promise<Trouble> {
  const text = `pod ${pod.metadata.name} cannot be scheduled: ${message}`
  if (!/PersistentVolumeClaim|volume/i.test(message)) {
    return { text, hopeless: false, hint: 'more or larger nodes, or a toleration or node selector, may be needed' }
  }
  const claim = await pendingClaim(api, pod, signal)
  return { text: claim ? `${text}; ${claim}` : text, hopeless: false, ...claimAdvice }
}
