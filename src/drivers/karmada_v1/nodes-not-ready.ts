/**
 * A control plane on several nodes keeps working while one of them is down, and users must be able to inspect and repair it then.
 * Plans do not wait for the pods of that node, which come back with it.
 */
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { isTrue, type KubeObject, refOf, refText } from '../../kube/api/object.ts'
import { as, type Deployment, type StatefulSet } from '../../kube/api/typed.ts'
import { judge } from '../../kube/waiting/readiness.ts'
import type { Step, Tools } from '../../plan/step.ts'
import type { Site } from './templates/site.ts'
import { replicas } from './templates/workload.ts'

const majority = (members: number): number => Math.floor(members / 2) + 1

/** Whether the federation's etcd works: it exists, and more than half of its members are ready. */
export async function serves({ namespace, settings }: Site, host: ClusterApi, signal: AbortSignal): Promise<boolean> {
  const found = await host.get({ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'etcd', namespace }, { signal })
  const ready = found ? (as<StatefulSet>(found).status?.readyReplicas ?? 0) : 0
  return ready >= majority(replicas('etcd', settings.ha))
}

/** The names of the nodes that are not Ready, if the control plane works without them. */
export async function nodesNotReady(site: Site, host: ClusterApi, signal: AbortSignal): Promise<string[]> {
  if (!site.settings.ha || !(await serves(site, host, signal))) return []
  const { items } = await host.list({ apiVersion: 'v1', kind: 'Node' }, { signal })
  return items.filter(node => !isTrue(node, 'Ready')).map(({ metadata }) => metadata.name ?? '')
}

/** Makes steps wait only for as many replicas as a working control plane needs. */
export const requireMajority = <O extends object>(steps: readonly Step<O>[], workloads: readonly string[]): Step<O>[] =>
  steps.map(step => {
    if (!workloads.includes(step.id)) return step
    // `awaits` would wait for all replicas, and `mend` would change pods that cannot start on that node
    const { awaits, mend, ...rest } = step
    return { ...rest, awaitObjects: false, ready: mostReady }
  })

async function mostReady(
  _: object,
  { api, signal, tell }: Tools,
  applied: readonly KubeObject[],
): Promise<object | undefined> {
  for (const object of applied) {
    const live = (await api.get(refOf(object), { signal })) ?? object
    const verdict = judge(live)
    if (verdict.ready || enough(live)) continue
    tell(`${refText(refOf(live))}: ${verdict.why}`)
    return undefined
  }
  return {}
}

/** Whether no rollout is in progress, and more than half of etcd, or one replica of another component, is available. */
function enough(object: KubeObject): boolean {
  const wanted = object.spec?.replicas ?? 1
  const { observedGeneration = 0, updatedReplicas = 0 } = object.status ?? {}
  if (observedGeneration < (object.metadata.generation ?? 0)) return false
  if (object.kind === 'StatefulSet') {
    const { currentRevision, updateRevision, readyReplicas = 0 } = as<StatefulSet>(object).status ?? {}
    return readyReplicas >= majority(wanted) && (currentRevision === updateRevision || updatedReplicas >= wanted)
  }
  const { replicas: all = 0, availableReplicas = 0 } = as<Deployment>(object).status ?? {}
  return updatedReplicas >= wanted && availableReplicas >= 1 && all <= updatedReplicas
}
