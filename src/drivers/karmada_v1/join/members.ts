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

/** Shown instead of the member's own condition, which is not updated any more and may still say Ready. */
const beingDeleted = (since: string) => ({
  status: 'False',
  reason: 'Deleting',
  message: `being removed from the federation since ${since}`,
})

/** The watch is restarted after this time, in case the server has dropped it. */
const watchMs = 15_000

/** For a step that waits until the federation reports the member as Ready. */
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
  return follow(api, cluster, well, { clock, signal, forMs: watchMs })
}

/** Names of namespaces have at most 63 characters, and the member's namespace in the federation adds a prefix. */
const maxLength = 48

export function memberNameProblem(name: string): string | undefined {
  if (name.length > maxLength) return `it has ${name.length} characters, but at most ${maxLength} are allowed`
  if (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)) return undefined
  return 'it may only contain lowercase letters, digits and dashes, and must begin and end with a letter or digit'
}
