/**
 * A control plane on several nodes serves while one of them is off, and must let itself be looked at and mended then. What ran on
 * that node comes back with it, and is not waited for meanwhile.
 */
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { isTrue, type KubeObject, refOf, refText } from '../../kube/api/object.ts'
import { as, type Deployment, type StatefulSet } from '../../kube/api/typed.ts'
import { judge } from '../../kube/waiting/readiness.ts'
import type { Step, Tools } from '../../plan/step.ts'
import type { Site } from './templates/site.ts'
import { replicas } from './templates/workload.ts'

const majority = (members: number): number => Math.floor(members / 2) + 1

/** Its store answers: it was made once, and more than half of it is there. */
export async function serves({ namespace, settings }: Site, host: ClusterApi, signal: AbortSignal): Promise<boolean> {
  const found = await host.get({ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'etcd', namespace }, { signal })
  const ready = found ? (as<StatefulSet>(found).status?.readyReplicas ?? 0) : 0
  return ready >= majority(replicas('etcd', settings.ha))
}

/** Names of nodes that are not Ready, where a control plane on several nodes goes on without them. */
export async function nodesAway(site: Site, host: ClusterApi, signal: AbortSignal): Promise<string[]> {
  if (!site.settings.ha || !(await serves(site, host, signal))) return []
  const { items } = await host.list({ apiVersion: 'v1', kind: 'Node' }, { signal })
  return items.filter(node => !isTrue(node, 'Ready')).map(({ metadata }) => metadata.name ?? '')
}

/** Steps that wait for workloads, content with as much as serves. */
export const contentWithMost = <O extends object>(steps: readonly Step<O>[], workloads: readonly string[]): Step<O>[] =>
  steps.map(step => {
    if (!workloads.includes(step.id)) return step
    // whatever else would wait for all of them, or mend what has never come up
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

/** Nothing is under way, and more than half of a store, or one of anything else, is there. */
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
