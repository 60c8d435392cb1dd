/** Looking at a cluster until it is as wanted. Ends with the reason and the faults when it fails. */

import { CoeError, failed, hasOutcome } from '../../core/errors.ts'
import { nextStep, optionArgs } from '../../core/next-step.ts'
import type { ClusterGoal } from '../../model/backend.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { hasFailed, isComplete, isDeleted, isDone, isMoving, isRolledBack } from '../../model/status.ts'
import { getCluster } from '../../openstack/magnum-api/clusters.ts'
import type { Service } from '../../openstack/service.ts'
import { clusterDeleted, clusterFailed, clusterRolledBack, rolledBackGroups, unknownWatch } from '../failed-states.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { checkAgain, conductorHint, differs, gone, noteStopped, silenceMs, waitUntil } from '../wait-until.ts'

export interface Watch {
  uuid: string
  name: string
  goal: ClusterGoal
  /** The cluster before the change: without a difference to it, the change has not begun. */
  before?: Cluster | undefined
  /** Its making was accepted a moment ago: Magnum may not show it yet. */
  coming?: boolean
  /** Magnum was asked to take the change back if it fails. */
  rollback?: boolean | undefined
  /** Once it has come to rest: is it what was asked for? */
  asAsked?: ((cluster: Cluster) => Promise<boolean>) | undefined
}

export async function watchCluster(
  context: MagnumContext,
  watch: Watch,
  op: ScopedOperation,
): Promise<Cluster | undefined> {
  const { name, goal } = watch
  const probe = makeProbe(context, watch, op)
  try {
    const { cluster } = await waitUntil(context, probe, op, `cluster "${name}" to be ${goalText(goal)}`)
    op.report.done(name, cluster ? String(cluster.status) : 'gone')
    return cluster
  } catch (error) {
    op.report.fail(name, probe.last()?.status ?? 'not seen')
    throw stillGoingOn(error, watch, op)
  }
}

function makeProbe(context: MagnumContext, watch: Watch, op: ScopedOperation) {
  const { clock } = context
  const { uuid, name, goal, before, asAsked } = watch
  const started = clock.now()
  let last: Cluster | undefined
  let told: string | null | undefined
  let begun = before === undefined
  let moved = false
  const unknown = unknownWatch(clock, `cluster "${name}"`, nextStep('inspect', 'cluster show', name))
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
      moved ||= isMoving(cluster.status)
      begun ||= moved || hasBegun(cluster, before)
      if (begun) {
        const end = await badEnd(service, cluster)
        if (end) throw end
        if (reached(cluster, goal) && (asAsked === undefined || (await asAsked(cluster)))) return { cluster }
      }
      if (begun && cluster.status !== told) op.report.step(name, String(cluster.status))
      told = cluster.status
      // at rest, and not as asked: nothing goes on there
      if (before && !isMoving(cluster.status) && silent()) throw nothingCame(name, cluster)
      return undefined
    },
  }

  /** What does not change by itself any more, unless somebody waits for just that. */
  async function badEnd(service: Service, cluster: Cluster): Promise<CoeError | undefined> {
    const { status } = cluster
    if (goal.kind === 'status' && goal.status.includes(status ?? '')) return undefined
    if (hasFailed(status)) return clusterFailed(cluster)
    if (goal.kind === 'gone' || goal.kind === 'status') return undefined
    if (isDeleted(status)) return clusterDeleted(cluster)
    if (goal.kind === 'complete' && isRolledBack(status)) return clusterRolledBack(service, cluster)
    // with more groups than its first two, a cluster whose change was rolled back is UPDATE_COMPLETE
    if (watch.rollback && isDone(status) && (await rolledBackGroups(service, uuid)).length > 0) {
      return clusterRolledBack(service, cluster)
    }
    return unknown(status)
  }
}

/** A rollback that stood before the change is no news, though its time may be: Magnum notes the health in between. */
const hasBegun = (now: Cluster, before: Cluster | undefined): boolean =>
  differs(now, before) && !(isRolledBack(now.status) && now.status === before?.status)

function reached({ status, health_status }: Cluster, goal: ClusterGoal): boolean {
  if (goal.kind === 'status') return goal.status.includes(status ?? '')
  if (goal.kind === 'gone') return false
  return goal.kind === 'complete' ? isDone(status) : isComplete(status) && health_status === 'HEALTHY'
}

function goalText(goal: ClusterGoal): string {
  if (goal.kind === 'status') return goal.status.join(' or ')
  return { complete: 'complete', healthy: 'healthy', gone: 'gone' }[goal.kind]
}

function describe({ status, status_reason, health_status }: Cluster, goal: ClusterGoal): string {
  const health = health_status ?? 'unknown (this cloud may not look at it)'
  return [status || 'no status', status_reason, goal.kind === 'healthy' ? `health ${health}` : '']
    .filter(Boolean)
    .join(', ')
}

function stillGoingOn(error: unknown, { name, goal }: Watch, op: ScopedOperation): unknown {
  const wait = nextStep(
    checkAgain,
    'cluster wait',
    name,
    ...optionArgs('for', goal.kind === 'gone' ? 'gone' : undefined),
  )
  noteStopped(op, `cluster "${name}"`, wait)
  if (!hasOutcome(error, 'timeout')) return error
  return new CoeError('timeout', error.message, {
    hint: 'what was begun goes on',
    next: [wait],
    details: error.details,
  })
}

const nothingCame = (name: string, cluster: Cluster): CoeError =>
  failed(`Magnum accepted the request for cluster "${name}", and then did nothing: it is still ${cluster.status}`, {
    hint: conductorHint,
  })

const neverCame = (name: string): CoeError =>
  failed(`Magnum accepted the request for cluster "${name}", and then did not make it`, { hint: conductorHint })
