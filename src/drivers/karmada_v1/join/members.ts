/** Members as the federation sees them. */
import type { Clock } from '../../../core/world.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import { conditionOf, type KubeObject } from '../../../kube/api/object.ts'
import { follow } from '../../../kube/waiting/follow.ts'
import type { MemberHealth } from '../../../model/federation-health.ts'
import type { Tools } from '../../../plan/step.ts'
import { notReady, remedyFor } from '../templates/member.ts'
import { clusterKind } from '../templates/membership.ts'

export async function listMembers(api: ClusterApi, signal?: AbortSignal): Promise<MemberHealth[]> {
  return (await api.list(clusterKind, { signal })).items.map(memberHealth)
}

export function memberHealth(cluster: KubeObject): MemberHealth {
  const { metadata, spec = {}, status = {} } = cluster
  const leaving = metadata.deletionTimestamp !== undefined
  const condition = leaving ? beingDeleted(String(metadata.deletionTimestamp)) : conditionOf(cluster, 'Ready')
  const ready = condition === undefined || condition.status === 'Unknown' ? null : condition.status === 'True'
  const hint = leaving || ready === true ? undefined : remedyFor(cluster)
  const nodes = status.nodeSummary as { totalNum?: number; readyNum?: number } | undefined
  return {
    name: metadata.name ?? '',
    ready,
    reason: condition?.reason ?? null,
    message: condition?.message ?? null,
    ...(hint ? { hint } : {}),
    version: status.kubernetesVersion || null,
    nodes: nodes ? { ready: nodes.readyNum ?? 0, total: nodes.totalNum ?? 0 } : null,
    server: spec.apiEndpoint ?? null,
    cluster_uid: spec.id ?? null,
    region: spec.region ?? null,
    zones: spec.zones ?? (spec.zone ? [spec.zone] : []),
    provider: spec.provider ?? null,
    labels: { ...metadata.labels },
    joined_at: metadata.creationTimestamp ?? null,
    leaving,
  }
}

/** Its own condition may say Ready to the end: nobody updates it any more. */
const beingDeleted = (since: string) => ({
  status: 'False',
  reason: 'Deleting',
  message: `it is being taken out of the federation (since ${since})`,
})

/** Of a watch: after so long it is begun anew, should the server have forgotten it. */
const lookMs = 15_000

/** For a step that waits until the federation sees the member as Ready. */
export function becomesReady(
  cluster: KubeObject,
  clock: Clock,
  { api, signal, tell }: Pick<Tools, 'api' | 'signal' | 'tell'>,
): Promise<object | undefined> {
  const well = (live: KubeObject) => {
    const why = notReady(live)
    if (why === undefined) return {}
    tell(why)
    return undefined
  }
  return follow(api, cluster, well, { clock, signal, forMs: lookMs })
}

/** Its namespace in the federation has a prefix before it, and a name has 63 at most. */
const longest = 48

export function memberNameProblem(name: string): string | undefined {
  if (name.length > longest) return `it has ${name.length} characters, and ${longest} is the most`
  if (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)) return undefined
  return 'it may only have small letters, digits and dashes, and must begin and end with a letter or digit'
}
