/** Looking at a cluster until it is as wanted. Ends with the reason and the faults when it fails. */
import { CoeError, failed } from '../core/errors.ts'
import { poll } from '../core/poll.ts'
import type { ClusterGoal } from '../model/backend.ts'
import type { Cluster } from '../model/cluster.ts'
import type { Operation } from '../model/operation.ts'
import { hasFailed, isMoving } from '../model/status.ts'
import { getCluster } from '../openstack/magnum-api/clusters.ts'
import type { MagnumContext } from './magnum-context.ts'

/** How long an accepted change may leave no trace before we say that nothing comes of it. */
const silenceMs = 45_000

export interface Watch {
  uuid: string
  name: string
  goal: ClusterGoal
  /** The cluster before the change: without a difference to it, the change has not begun. */
  before?: Cluster | undefined
}

export async function watchCluster(context: MagnumContext, watch: Watch, op: Operation): Promise<Cluster | undefined> {
  const { clock, session } = context
  const service = await session.magnum()
  const { uuid, name, goal, before } = watch
  const started = clock.now()
  let last: Cluster | undefined
  let begun = before === undefined
  const seen = () => (last ? `${last.status}${last.status_reason ? `: ${last.status_reason}` : ''}` : undefined)
  return poll(
    async () => {
      const cluster = await getCluster(service, uuid).catch(gone)
      if (cluster === 'gone') {
        if (goal.kind !== 'gone') throw failed(`cluster "${name}" is gone: somebody deleted it`)
        return { cluster: undefined }
      }
      if (cluster.status !== last?.status) op.report.step(name, String(cluster.status))
      last = cluster
      begun ||= isMoving(cluster.status) || differs(cluster, before)
      if (!begun && clock.now() - started > silenceMs) throw nothingCame(name, cluster)
      return begun && reached(cluster, goal) ? { cluster } : undefined
    },
    {
      clock,
      timeoutMs: op.waitTimeoutMs,
      signal: op.signal,
      intervalMs: 500,
      maxIntervalMs: 5_000,
      what: `cluster "${name}" to be ${goalText(goal)}`,
      lastSeen: seen,
    },
  ).then(found => found.cluster)
}

const gone = (error: unknown): 'gone' => {
  if (error instanceof CoeError && error.outcome === 'notFound') return 'gone'
  throw error
}

const differs = (now: Cluster, before: Cluster | undefined): boolean =>
  now.status !== before?.status || now.updated_at !== before?.updated_at

/** True when there; throws when it can never be. */
function reached(cluster: Cluster, goal: ClusterGoal): boolean {
  if (goal.kind === 'status') {
    if (goal.status.includes(cluster.status ?? '')) return true
    if (hasFailed(cluster.status)) throw clusterFailed(cluster)
    return false
  }
  if (hasFailed(cluster.status)) throw clusterFailed(cluster)
  if (goal.kind === 'gone' || isMoving(cluster.status)) return false
  return goal.kind === 'settled' || cluster.health_status === 'HEALTHY'
}

function goalText(goal: ClusterGoal): string {
  if (goal.kind === 'status') return goal.status.join(' or ')
  return { settled: 'complete', healthy: 'healthy', gone: 'gone' }[goal.kind]
}

export function clusterFailed(cluster: Cluster): CoeError {
  const faults = Object.entries(cluster.faults ?? {}).map(([where, why]) => `${where}: ${why}`)
  const reason = [cluster.status_reason, ...faults].filter(Boolean).join('; ')
  return failed(`cluster "${cluster.name}" is ${cluster.status}${reason ? `: ${reason}` : ''}`, {
    hint: `"coe cluster show ${cluster.name}" shows all of it`,
    details: { cluster: cluster.uuid, cluster_status: cluster.status, faults: cluster.faults ?? undefined },
  })
}

const nothingCame = (name: string, cluster: Cluster): CoeError =>
  failed(`Magnum accepted the request for cluster "${name}", and then did nothing: it is still ${cluster.status}`, {
    hint: 'its conductor refused; an operator finds the reason in the log of magnum-conductor',
  })
