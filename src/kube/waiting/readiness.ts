/** Is it there, judged by what its kind says of itself. Pure: no server is asked. */
import { conditionOf, groupOf, isTrue, type KubeObject } from '../api/object.ts'
import { as, type DaemonSet, type Deployment, type StatefulSet } from '../api/typed.ts'

export interface Verdict {
  ready: boolean
  /** How far it is: `1 of 2 ready`. */
  why: string
  /** It says itself that it will not get there. */
  hopeless?: boolean
}

const ready: Verdict = { ready: true, why: 'ready' }
const not = (why: string, hopeless = false): Verdict => ({ ready: false, why, hopeless })

const judges: Record<string, (object: KubeObject) => Verdict> = {
  'apps/Deployment': o => deployment(as<Deployment>(o), o),
  'apps/StatefulSet': o => statefulSet(as<StatefulSet>(o)),
  'apps/DaemonSet': o => daemonSet(as<DaemonSet>(o)),
  'batch/Job': job,
  // a PersistentVolumeClaim has none: one that waits for its first consumer would be waited for in vain, and pods tell
  '/Namespace': o => (o.metadata.deletionTimestamp ? not('it is being deleted', true) : ready),
  'apiextensions.k8s.io/CustomResourceDefinition': definition,
  'apiregistration.k8s.io/APIService': o => byCondition(o, 'Available'),
}

/** A kind without a judge of its own is judged by its conditions; without any, it is ready as soon as it is stored. */
export function judge(object: KubeObject): Verdict {
  return judges[`${groupOf(object.apiVersion)}/${object.kind}`]?.(object) ?? anyKind(object)
}

/** The conditions that say "ready", the better one first. */
const positive = ['Ready', 'Available']

function anyKind(object: KubeObject): Verdict {
  const condition = positive.map(type => conditionOf(object, type)).find(found => found !== undefined)
  if (!condition) return ready
  // what was said of an older generation says nothing about this one; who does not tell is believed
  const observed = condition.observedGeneration ?? (object.status?.observedGeneration as number | undefined)
  if (observed !== undefined && !seen(object, observed)) return not('its controller has not looked yet')
  return byCondition(object, condition.type)
}

export const isWorkload = (object: KubeObject): boolean =>
  groupOf(object.apiVersion) === 'apps' && ['Deployment', 'StatefulSet', 'DaemonSet'].includes(object.kind)

const seen = (o: { metadata: { generation?: number } }, observed: number | undefined): boolean =>
  (observed ?? 0) >= (o.metadata.generation ?? 0)

function deployment(d: Deployment, object: KubeObject): Verdict {
  const wanted = d.spec?.replicas ?? 1
  const { observedGeneration, updatedReplicas = 0, availableReplicas = 0, replicas = 0 } = d.status ?? {}
  if (!seen(d, observedGeneration)) return not('its controller has not looked yet')
  const progressing = conditionOf(object, 'Progressing')
  if (progressing?.reason === 'ProgressDeadlineExceeded')
    return not(progressing.message ?? 'it makes no progress', true)
  const failure = conditionOf(object, 'ReplicaFailure')
  if (failure?.status === 'True') return not(`its pods cannot be made: ${failure.message}`)
  if (updatedReplicas < wanted) return not(`${updatedReplicas} of ${wanted} updated`)
  if (availableReplicas < wanted) return not(`${availableReplicas} of ${wanted} available`)
  return replicas > updatedReplicas ? not(`${replicas - updatedReplicas} old to go`) : ready
}

function statefulSet(s: StatefulSet): Verdict {
  const wanted = s.spec?.replicas ?? 1
  const { observedGeneration, updatedReplicas = 0, readyReplicas = 0, currentRevision, updateRevision } = s.status ?? {}
  if (!seen(s, observedGeneration)) return not('its controller has not looked yet')
  if (readyReplicas < wanted) return not(`${readyReplicas} of ${wanted} ready`)
  const rolled = currentRevision === updateRevision || updatedReplicas >= wanted
  return rolled ? ready : not(`${updatedReplicas} of ${wanted} updated`)
}

function daemonSet(d: DaemonSet): Verdict {
  const { observedGeneration, desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberReady = 0 } = d.status ?? {}
  if (!seen(d, observedGeneration)) return not('its controller has not looked yet')
  if (updatedNumberScheduled < desiredNumberScheduled)
    return not(`${updatedNumberScheduled} of ${desiredNumberScheduled} updated`)
  return numberReady < desiredNumberScheduled ? not(`${numberReady} of ${desiredNumberScheduled} ready`) : ready
}

function job(object: KubeObject): Verdict {
  if (isTrue(object, 'Complete')) return ready
  const failed = conditionOf(object, 'Failed')
  return failed?.status === 'True' ? not(`it failed: ${failed.message ?? failed.reason}`, true) : not('it is running')
}

function definition(object: KubeObject): Verdict {
  const names = conditionOf(object, 'NamesAccepted')
  if (names?.status === 'False') return not(`its names are taken: ${names.message}`, true)
  return byCondition(object, 'Established')
}

function byCondition(object: KubeObject, type: string): Verdict {
  const condition = conditionOf(object, type)
  if (condition?.status === 'True') return ready
  const because = [condition?.reason, condition?.message].filter(Boolean).join(': ')
  return not(because ? `not ${type} yet: ${because}` : `not ${type} yet`)
}
