/** Looking at a cluster until it is as wanted. Ends with the reason and the faults when it fails. */
import { CoeError, failed, hasOutcome } from '../core/errors.ts'
import type { ClusterGoal } from '../model/backend.ts'
import type { Cluster } from '../model/cluster.ts'
import type { Operation } from '../model/operation.ts'
import { hasFailed, isMoving } from '../model/status.ts'
import { getCluster } from '../openstack/magnum-api/clusters.ts'
import type { Service } from '../openstack/service.ts'
import { conductorHint, differs, gone, lookUntil, silenceMs } from './look-until.ts'
import type { MagnumContext } from './magnum-context.ts'

export interface Watch {
  uuid: string
  name: string
  goal: ClusterGoal
  /** The cluster before the change: without a difference to it, the change has not begun. */
  before?: Cluster | undefined
  /** Its making was accepted a moment ago: Magnum may not show it yet. */
  coming?: boolean
  /** Once it has come to rest: is it what was asked for? */
  asAsked?: ((cluster: Cluster) => Promise<boolean>) | undefined
}

export async function watchCluster(context: MagnumContext, watch: Watch, op: Operation): Promise<Cluster | undefined> {
  const { name, goal } = watch
  const looker = makeLooker(context, watch, op)
  try {
    const { cluster } = await lookUntil(context, looker, op, `cluster "${name}" to be ${goalText(goal)}`)
    op.report.done(name, cluster ? String(cluster.status) : 'gone')
    return cluster
  } catch (error) {
    op.report.fail(name, looker.last()?.status ?? 'not seen')
    throw stillGoingOn(error, watch, op)
  }
}

function makeLooker(context: MagnumContext, watch: Watch, op: Operation) {
  const { clock } = context
  const { uuid, name, goal, before, asAsked } = watch
  const started = clock.now()
  let last: Cluster | undefined
  let told: string | null | undefined
  let begun = before === undefined
  const silent = () => clock.now() - started > silenceMs
  return {
    last: () => last,
    seen: () => (last ? describe(last, goal) : undefined),
    async look(service: Service): Promise<{ cluster: Cluster | undefined } | undefined> {
      const cluster = await getCluster(service, uuid).catch(gone)
      if (cluster === 'gone') {
        if (goal.kind === 'gone') return { cluster: undefined }
        if (watch.coming && last === undefined && !silent()) return undefined
        throw last === undefined ? neverCame(name) : failed(`cluster "${name}" is gone: somebody deleted it`)
      }
      last = cluster
      begun ||= isMoving(cluster.status) || differs(cluster, before)
      if (begun && reached(cluster, goal) && (asAsked === undefined || (await asAsked(cluster)))) return { cluster }
      if (begun && cluster.status !== told) op.report.step(name, String(cluster.status))
      told = cluster.status
      // at rest, and not as asked: nothing goes on there
      if (before && !isMoving(cluster.status) && silent()) throw nothingCame(name, cluster)
      return undefined
    },
  }
}

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

function describe({ status, status_reason, health_status }: Cluster, goal: ClusterGoal): string {
  const health = health_status ?? 'unknown (this cloud may not look at it)'
  return [status, status_reason, goal.kind === 'healthy' ? `health ${health}` : ''].filter(Boolean).join(', ')
}

/** We stop looking; Magnum does not stop working. */
function stillGoingOn(error: unknown, { name, goal }: Watch, op: Operation): unknown {
  const again = `coe cluster wait ${name}${goal.kind === 'gone' ? ' --for gone' : ''}`
  if (op.signal.aborted) {
    op.report.note(`no longer looking at cluster "${name}"; what was begun goes on: "${again}" looks again`)
    return error
  }
  if (!hasOutcome(error, 'timeout')) return error
  return new CoeError('timeout', error.message, {
    hint: `what was begun goes on: "${again}" looks again`,
    details: error.details,
  })
}

function clusterFailed(cluster: Cluster): CoeError {
  const faults = Object.entries(cluster.faults ?? {}).map(([where, why]) => `${where}: ${why}`)
  const reason = [cluster.status_reason, ...faults].filter(Boolean).join('; ')
  return failed(`cluster "${cluster.name}" is ${cluster.status}${reason ? `: ${reason}` : ''}`, {
    hint: `"coe cluster show ${cluster.name}" shows all of it`,
    details: { cluster: cluster.uuid, cluster_status: cluster.status, faults: cluster.faults ?? undefined },
  })
}

const nothingCame = (name: string, cluster: Cluster): CoeError =>
  failed(`Magnum accepted the request for cluster "${name}", and then did nothing: it is still ${cluster.status}`, {
    hint: conductorHint,
  })

const neverCame = (name: string): CoeError =>
  failed(`Magnum accepted the request for cluster "${name}", and then did not make it`, { hint: conductorHint })
