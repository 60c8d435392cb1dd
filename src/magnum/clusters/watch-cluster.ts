/** Waits until a cluster reaches its goal. Fails with the reason and the faults if the cluster fails. */

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
import { checkAgain, conductorHint, differs, gone, noEffectMs, noteStopped, waitUntil } from '../wait-until.ts'

export interface Watch {
  uuid: string
  name: string
  goal: ClusterGoal
  /** The cluster before the change: while nothing differs from it, the change has not started. */
  before?: Cluster | undefined
  /** Its creation was accepted a moment ago: Magnum may not show it yet. */
  justCreated?: boolean
  /** Magnum rolls the change back if it fails. */
  rollback?: boolean | undefined
  /** Checked once no change is in progress: is the cluster as requested? */
  isAsRequested?: ((cluster: Cluster) => Promise<boolean>) | undefined
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
    op.report.fail(name, probe.last()?.status ?? 'unknown')
    throw withNextStep(error, watch, op)
  }
}

function makeProbe(context: MagnumContext, watch: Watch, op: ScopedOperation) {
  const { clock } = context
  const { uuid, name, goal, before, isAsRequested } = watch
  const started = clock.now()
  let last: Cluster | undefined
  let reported: string | null | undefined
  let begun = before === undefined
  let moved = false
  const unknown = unknownWatch(clock, `cluster "${name}"`, nextStep('inspect', 'cluster show', name))
  const isOverdue = () => clock.now() - started > noEffectMs
  return {
    last: () => last,
    lastState: () => (last ? describe(last, goal) : undefined),
    async check(service: Service): Promise<{ cluster: Cluster | undefined } | undefined> {
      const cluster = await getCluster(service, uuid).catch(gone)
      if (cluster === 'gone') {
        if (goal.kind === 'gone') return { cluster: undefined }
        if (watch.justCreated && last === undefined && !isOverdue()) return undefined
        throw last === undefined ? wasNotCreated(name) : failed(`cluster "${name}" is gone: another client deleted it`)
      }
      last = cluster
      moved ||= isMoving(cluster.status)
      begun ||= moved || hasBegun(cluster, before)
      if (begun) {
        const end = await failure(service, cluster)
        if (end) throw end
        if (reached(cluster, goal) && (isAsRequested === undefined || (await isAsRequested(cluster))))
          return { cluster }
      }
      if (begun && cluster.status !== reported) op.report.step(name, String(cluster.status))
      reported = cluster.status
      // no change is in progress, and the cluster is not as requested: the request had no effect
      if (before && !isMoving(cluster.status) && isOverdue()) throw hadNoEffect(name, cluster)
      return undefined
    },
  }

  /** The error for a state that does not change by itself any more, unless it is the goal. */
  async function failure(service: Service, cluster: Cluster): Promise<CoeError | undefined> {
    const { status } = cluster
    if (goal.kind === 'status' && goal.status.includes(status ?? '')) return undefined
    if (hasFailed(status)) return clusterFailed(cluster)
    if (goal.kind === 'gone' || goal.kind === 'status') return undefined
    if (isDeleted(status)) return clusterDeleted(cluster)
    if (goal.kind === 'complete' && isRolledBack(status)) return clusterRolledBack(service, cluster)
    // a cluster with additional groups is UPDATE_COMPLETE even if its change was rolled back
    if (watch.rollback && isDone(status) && (await rolledBackGroups(service, uuid)).length > 0) {
      return clusterRolledBack(service, cluster)
    }
    return unknown(status)
  }
}

/** The status of an earlier rollback does not count, even with a newer time: Magnum updates the time for health checks. */
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
  const health = health_status ?? 'unknown (this cloud may not check it)'
  return [status || 'no status', status_reason, goal.kind === 'healthy' ? `health ${health}` : '']
    .filter(Boolean)
    .join(', ')
}

function withNextStep(error: unknown, { name, goal }: Watch, op: ScopedOperation): unknown {
  const wait = nextStep(
    checkAgain,
    'cluster wait',
    name,
    ...optionArgs('for', goal.kind === 'gone' ? 'gone' : undefined),
  )
  noteStopped(op, `cluster "${name}"`, wait)
  if (!hasOutcome(error, 'timeout')) return error
  return new CoeError('timeout', error.message, {
    hint: 'Magnum continues the change',
    next: [wait],
    details: error.details,
  })
}

const hadNoEffect = (name: string, cluster: Cluster): CoeError =>
  failed(`Magnum accepted the request for cluster "${name}", but did nothing: it is still ${cluster.status}`, {
    hint: conductorHint,
  })

const wasNotCreated = (name: string): CoeError =>
  failed(`Magnum accepted the request for cluster "${name}", but did not create it`, { hint: conductorHint })
