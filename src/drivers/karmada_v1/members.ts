/** Members as the federation sees them. */
import type { ClusterApi } from '../../kube/cluster-api.ts'
import { conditionOf, type KubeObject } from '../../kube/object.ts'
import type { MemberHealth } from '../../model/federation-health.ts'
import { remedyFor } from './templates/member.ts'
import { clusterKind } from './templates/membership.ts'

export async function listMembers(api: ClusterApi, signal?: AbortSignal): Promise<MemberHealth[]> {
  return (await api.list(clusterKind, { signal })).items.map(memberHealth)
}

export function memberHealth(cluster: KubeObject): MemberHealth {
  const { metadata, spec = {}, status = {} } = cluster
  const condition = conditionOf(cluster, 'Ready')
  const ready = condition === undefined || condition.status === 'Unknown' ? null : condition.status === 'True'
  const hint = ready === true ? undefined : remedyFor(cluster)
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
    leaving: metadata.deletionTimestamp !== undefined,
  }
}

/** Its namespace in the federation has a prefix before it, and a name has 63 at most. */
const longest = 48

export function memberNameProblem(name: string): string | undefined {
  if (name.length > longest) return `it has ${name.length} characters, and ${longest} is the most`
  if (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)) return undefined
  return 'it may only have small letters, digits and dashes, and must begin and end with a letter or digit'
}
