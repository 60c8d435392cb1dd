/** A live look at one cluster: its version, nodes and health, and the federations that it is in. Five requests: the version, then the rest side by side. */
import { resultOf } from '../../core/concurrency.ts'
import type { ClusterApi, RequestLimits } from '../../kube/api/cluster-api.ts'
import { isForbidden } from '../../kube/api/errors.ts'
import { isTrue } from '../../kube/api/object.ts'
import { readMarks } from '../../kube/ownership/federation-marks.ts'
import type { Cluster } from '../../model/cluster.ts'

export interface Seen {
  /** Undefined: whoever asks may not know. */
  uid: string | undefined
  version: string
  nodes: number | null
  /** What a row says of its health and its federations. */
  fields: Pick<Cluster, 'health_status' | 'health_status_reason' | 'status_reason' | 'member_of' | 'host_of'>
}

/** Fails when the server does not tell even its version, which it tells everybody. */
export async function probeCluster(api: ClusterApi, limits: RequestLimits): Promise<Seen> {
  // one that does not answer is asked once, and not by five connections
  const version = await api.version(limits)
  const [uid, ready, nodes, marks] = await Promise.all([
    resultOf(api.identity(limits)),
    resultOf(api.raw({ method: 'GET', path: '/readyz', ...limits })),
    resultOf(api.list({ apiVersion: 'v1', kind: 'Node' }, limits)),
    resultOf(readMarks(api, limits)),
  ])
  limits.signal?.throwIfAborted()
  const conditions: Record<string, string> = {}
  if (ready.ok && ready.value.status !== 403) conditions.api = ready.value.text.trim().split('\n').at(-1) ?? ''
  const wellApi = !ready.ok || ready.value.status === 403 || ready.value.status === 200
  const items = nodes.ok ? nodes.value.items : []
  for (const node of items) conditions[`${node.metadata.name}.Ready`] = isTrue(node, 'Ready') ? 'True' : 'False'
  const well = wellApi && items.every(node => isTrue(node, 'Ready'))
  const unseen = [nodes, marks].flatMap(look => (look.ok ? [] : [look.error as Error]))
  return {
    uid: uid.ok ? uid.value : undefined,
    version: version.gitVersion,
    nodes: nodes.ok ? items.length : null,
    fields: {
      health_status: !well ? 'UNHEALTHY' : ready.ok && nodes.ok ? 'HEALTHY' : 'UNKNOWN',
      health_status_reason: conditions,
      status_reason: unseen.length ? [...new Set(unseen.map(problem))].join('; ') : null,
      member_of: marks.ok ? (marks.value.member?.federation ?? null) : null,
      host_of: marks.ok ? (marks.value.hosts?.map(h => h.federation).sort() ?? null) : null,
    },
  }
}

const problem = (error: Error): string =>
  isForbidden(error) ? error.message.replace(/^.* does not let/, 'it does not let') : error.message

/** As Magnum calls the health of what it cannot reach. */
export const unreached = (error: Error): Seen['fields'] & { status: null } => ({
  status: null,
  health_status: 'UNKNOWN',
  health_status_reason: { api: error.message },
  status_reason: error.message,
  member_of: null,
  host_of: null,
})
