import { now } from '../../kube/control-plane.ts'
import { type Condition, withCondition } from '../../kube/controllers/conditions.ts'
import { type ControllerHost, setStatus } from '../../kube/controllers/host.ts'
import { type Json, type KubeObject, same } from '../../kube/object.ts'
import { conditionOf } from '../conditions-of.ts'
import type { MemberClient } from '../member-client.ts'
import type { MemberClients } from '../member-clients.ts'
import { bootstrapIds } from '../names.ts'

const ready = (status: Condition['status'], reason: string, message: string): Condition => ({
  type: 'Ready',
  status,
  reason,
  message,
})

const well = ready('True', 'ClusterReady', 'cluster is healthy and ready to accept workloads')
const unwell = ready('False', 'ClusterNotReady', 'cluster is reachable but health endpoint responded without ok')
const away = ready('False', 'ClusterNotReachable', 'cluster is not reachable')

/** Probes the health of the member itself. */
async function probe(client: MemberClient): Promise<Condition> {
  try {
    let answer = await client.call('GET', '/readyz')
    if (answer.status === 404) answer = await client.call('GET', '/healthz')
    if (answer.status === 200) return well
    return answer.status === 401 || answer.status === 403 ? away : unwell
  } catch {
    return away
  }
}

/** Keeps the conditions of the Clusters. The first probe counts at once, later changes only if they last. */
export function clusterStatusController(host: ControllerHost, clients: MemberClients): void {
  const { plane, timings, watch, queue } = host
  const failingSince = new Map<string, number>()
  const enqueue = queue(async name => {
    const cluster = plane.store.get(bootstrapIds.clusters, undefined, name)
    if (cluster?.spec.syncMode !== 'Push') return
    const client = clients.of(name)
    if ('error' in client) {
      write(cluster, ready('False', 'StatusCollectionFailed', `failed to get client: ${client.error}`), {})
      return enqueue(name, timings.clusterProbe)
    }
    const condition = await probe(client)
    const before = conditionOf(cluster, 'Ready')
    const current = plane.store.get(bootstrapIds.clusters, undefined, name)
    if (!current || current.metadata.uid !== cluster.metadata.uid) return
    if (before && before.status !== condition.status && before.reason !== 'StatusCollectionFailed') {
      const since = failingSince.get(name) ?? plane.clock.now()
      failingSince.set(name, since)
      const left = since + timings.clusterFailure - plane.clock.now()
      if (left > 0) return enqueue(name, Math.min(timings.clusterProbe, left))
    }
    failingSince.delete(name)
    write(
      current,
      condition,
      condition.status === 'True' ? await collect(client, before?.status === 'True' ? current.status : undefined) : {},
    )
    enqueue(name, timings.clusterProbe)
  })

  function write(cluster: KubeObject, condition: Condition, facts: Json): void {
    const time = now(plane)
    let conditions = withCondition(cluster.status?.conditions, condition, time)
    if (facts.apiEnablements) {
      const complete = {
        type: 'CompleteAPIEnablements',
        status: 'True' as const,
        reason: 'Complete',
        message: 'API enablements are complete',
      }
      conditions = withCondition(conditions, complete, time)
    }
    setStatus(plane, bootstrapIds.clusters, cluster, { ...cluster.status, ...facts, conditions })
  }

  watch(bootstrapIds.clusters, ({ type, object, previous }) => {
    if (type === 'DELETED') failingSince.delete(object.metadata.name)
    else if (!previous || !same({ ...previous.spec, taints: 0 }, { ...object.spec, taints: 0 }))
      enqueue(object.metadata.name)
  })
  watch('secrets', ({ object }) => {
    for (const cluster of plane.store.list(bootstrapIds.clusters)) {
      const { namespace, name } = cluster.spec.secretRef ?? {}
      if (namespace === object.metadata.namespace && name === object.metadata.name) enqueue(cluster.metadata.name, 1)
    }
  })
}

/** Collects a member's status. Facts that hardly change are requested only once. */
async function collect(client: MemberClient, known: Json): Promise<Json> {
  try {
    const version = known?.kubernetesVersion ?? (await client.call('GET', '/version')).body.gitVersion
    const nodes: Json[] = (await client.call('GET', '/api/v1/nodes')).body.items ?? []
    const isUp = (node: Json) =>
      (node.status?.conditions ?? []).some((c: Json) => c.type === 'Ready' && c.status === 'True')
    return {
      kubernetesVersion: version,
      nodeSummary: { totalNum: nodes.length, readyNum: nodes.filter(isUp).length },
      apiEnablements: known?.apiEnablements ?? (await discover(client)),
    }
  } catch {
    return {}
  }
}

async function discover(client: MemberClient): Promise<Json[]> {
  const accept = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }
  const lists = await Promise.all(['/api', '/apis'].map(path => client.call('GET', path, undefined, accept)))
  return lists.flatMap(({ body }) =>
    (body.items ?? []).flatMap((group: Json) =>
      group.versions.map((version: Json) => ({
        groupVersion: group.metadata.name ? `${group.metadata.name}/${version.version}` : version.version,
        resources: version.resources.map((r: Json) => ({ kind: r.responseKind.kind, name: r.resource })),
      })),
    ),
  )
}
