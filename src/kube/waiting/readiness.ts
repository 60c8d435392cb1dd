/** Decides from an object's status whether it is ready. Pure: no requests. */
import { conditionOf, groupOf, isTrue, type KubeObject } from '../api/object.ts'
import { as, type DaemonSet, type Deployment, type StatefulSet } from '../api/typed.ts'

export interface Verdict {
  ready: boolean
  /** Its progress: `1 of 2 ready`. */
  why: string
  /** Its own status says that it will not become ready. */
  hopeless?: boolean
}

const ready: Verdict = { ready: true, why: 'ready' }
const not = (why: string, hopeless = false): Verdict => ({ ready: false, why, hopeless })

const judges: Record<string, (object: KubeObject) => Verdict> = {
  'apps/Deployment': o => deployment(as<Deployment>(o), o),
  'apps/StatefulSet': o => statefulSet(as<StatefulSet>(o)),
  'apps/DaemonSet': o => daemonSet(as<DaemonSet>(o)),
  'batch/Job': job,
  // PersistentVolumeClaim is left out: a claim may stay Pending until its first pod, and a stuck claim shows in its pod
  '/Namespace': o => (o.metadata.deletionTimestamp ? not('it is being deleted', true) : ready),
  'apiextensions.k8s.io/CustomResourceDefinition': definition,
  'apiregistration.k8s.io/APIService': o => byCondition(o, 'Available'),
}

/** Other kinds are judged by their conditions; without conditions, an object is ready as soon as it is stored. */
export function judge(object: KubeObject): Verdict {
  return judges[`${groupOf(object.apiVersion)}/${object.kind}`]?.(object) ?? anyKind(object)
}

/** The conditions that mean "ready", in order of preference. */
const positive = ['Ready', 'Available']

function anyKind(object: KubeObject): Verdict {
  const condition = positive.map(type => conditionOf(object, type)).find(found => found !== undefined)
  if (!condition) return ready
  // a condition of an older generation does not count; without an observedGeneration it does
  const observed = condition.observedGeneration ?? (object.status?.observedGeneration as number | undefined)
  if (observed !== undefined && !isObserved(object, observed)) return not(notObserved)
  return byCondition(object, condition.type)
}

export const isWorkload = (object: KubeObject): boolean =>
  groupOf(object.apiVersion) === 'apps' && ['Deployment', 'StatefulSet', 'DaemonSet'].includes(object.kind)

const notObserved = 'its controller has not handled the change yet'

const isObserved = (o: { metadata: { generation?: number } }, observed: number | undefined): boolean =>
  (observed ?? 0) >= (o.metadata.generation ?? 0)

function deployment(d: Deployment, object: KubeObject): Verdict {
  const wanted = d.spec?.replicas ?? 1
  const { observedGeneration, updatedReplicas = 0, availableReplicas = 0, replicas = 0 } = d.status ?? {}
  if (!isObserved(d, observedGeneration)) return not(notObserved)
  const progressing = conditionOf(object, 'Progressing')
  if (progressing?.reason === 'ProgressDeadlineExceeded')
    return not(progressing.message ?? 'it makes no progress', true)
  const failure = conditionOf(object, 'ReplicaFailure')
  if (failure?.status === 'True') return not(`its pods are refused: ${failure.message}`)
  if (updatedReplicas < wanted) return not(`${updatedReplicas} of ${wanted} updated`)
  if (availableReplicas < wanted) return not(`${availableReplicas} of ${wanted} available`)
  return replicas > updatedReplicas ? not(`${replicas - updatedReplicas} old still to be removed`) : ready
}

function statefulSet(s: StatefulSet): Verdict {
  const wanted = s.spec?.replicas ?? 1
  const { observedGeneration, updatedReplicas = 0, readyReplicas = 0, currentRevision, updateRevision } = s.status ?? {}
  if (!isObserved(s, observedGeneration)) return not(notObserved)
  if (readyReplicas < wanted) return not(`${readyReplicas} of ${wanted} ready`)
  const rolled = currentRevision === updateRevision || updatedReplicas >= wanted
  return rolled ? ready : not(`${updatedReplicas} of ${wanted} updated`)
}

function daemonSet(d: DaemonSet): Verdict {
  const { observedGeneration, desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberReady = 0 } = d.status ?? {}
  if (!isObserved(d, observedGeneration)) return not(notObserved)
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
