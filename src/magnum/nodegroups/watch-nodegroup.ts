/** Waits until a node group reaches its goal, and its cluster has no change in progress either. */

import { type CoeError, failed } from '../../core/errors.ts'
import { nextStep } from '../../core/next-step.ts'
import type { Cluster, NodeGroup } from '../../model/cluster.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { hasFailed, isDeleted, isDone, isMoving, isRolledBack, isUnknown } from '../../model/status.ts'
import { getCluster } from '../../openstack/magnum-api/clusters.ts'
import { getNodeGroup } from '../../openstack/magnum-api/nodegroups.ts'
import type { Service } from '../../openstack/service.ts'
import { nodeGroupFailed, unknownWatch } from '../failed-states.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { checkAgain, conductorHint, differs, gone, noEffectMs, noteStopped, waitUntil } from '../wait-until.ts'

export interface GroupWatch {
  /** The cluster before the change. */
  cluster: Cluster
  uuid: string
  name: string
  goal: 'complete' | 'gone'
  /** The group before the change. Absent: the group is being created, and may not exist yet. */
  before?: NodeGroup
}

export async function watchNodeGroup(
  context: MagnumContext,
  watch: GroupWatch,
  op: ScopedOperation,
): Promise<NodeGroup | undefined> {
  const { name, goal, cluster } = watch
  const probe = makeProbe(context, watch, op)
  try {
    const what = `node group "${name}" of cluster "${cluster.name}" to be ${goal}`
    const { group } = await waitUntil(context, probe, op, what)
    op.report.done(name, group ? String(group.status) : 'gone')
    return group
  } catch (error) {
    op.report.fail(name, probe.lastState() ?? 'unknown')
    const show = nextStep(checkAgain, 'nodegroup show', cluster.name, name)
    noteStopped(op, `node group "${name}" of cluster "${cluster.name}"`, show)
    throw error
  }
}

function makeProbe(context: MagnumContext, watch: GroupWatch, op: ScopedOperation) {
  const { clock } = context
  const { uuid, name, goal, before, cluster } = watch
  const started = clock.now()
  const isOverdue = () => clock.now() - started > noEffectMs
  let last: NodeGroup | undefined
  let clusterStatus: string | null = null
  const show = nextStep('inspect', 'nodegroup show', cluster.name, name)
  const showCluster = nextStep('inspect', 'cluster show', cluster.name)
  const unknown = unknownWatch(clock, `node group "${name}" of cluster "${cluster.name}"`, show)
  const unknownCluster = unknownWatch(clock, `cluster "${cluster.name}"`, showCluster)
  return {
    lastState: () => last && [last.status, last.status_reason].filter(Boolean).join(', '),
    async check(service: Service): Promise<{ group: NodeGroup | undefined } | undefined> {
      const group = await getNodeGroup(service, cluster.uuid, uuid).catch(gone)
      if (group === 'gone') {
        if (goal === 'gone') return (await clusterIsIdle(service)) ? { group: undefined } : undefined
        if (before === undefined && last === undefined && !isOverdue()) return undefined
        throw last || before ? failed(`node group "${name}" is gone: another client deleted it`) : wasNotCreated(name)
      }
      if (group.status !== last?.status) op.report.step(name, String(group.status))
      last = group
      const begun = before === undefined || isMoving(group.status) || differs(group, before)
      if (begun && (hasFailed(group.status) || (goal === 'complete' && hasEnded(group.status))))
        throw nodeGroupFailed(cluster, group)
      const unknownError = begun && goal === 'complete' ? unknown(group.status) : undefined
      if (unknownError) throw unknownError
      if (begun && goal === 'complete' && isDone(group.status))
        return (await clusterIsIdle(service)) ? { group } : undefined
      if (!isMoving(group.status) && isOverdue()) throw hadNoEffect(group)
      return undefined
    },
  }

  /** The cluster's status follows those of its groups some seconds later; a new change must not start earlier. */
  async function clusterIsIdle(service: Service): Promise<boolean> {
    const now = await getCluster(service, cluster.uuid).catch(gone)
    if (now === 'gone') return true
    if (isMoving(now.status)) {
      if (now.status !== clusterStatus) op.report.step(cluster.name, String(now.status))
      clusterStatus = now.status
      return false
    }
    if (isUnknown(now.status)) {
      const error = unknownCluster(now.status)
      if (error) throw error
      return false
    }
    op.report.done(cluster.name, String(now.status))
    const bad = (status: string | null) => hasFailed(status) || hasEnded(status)
    if (!bad(now.status) || bad(cluster.status)) return true
    throw failed(`cluster "${cluster.name}" is ${now.status}${now.status_reason ? `: ${now.status_reason}` : ''}`, {
      next: [showCluster],
    })
  }
}

/** No change is in progress, and the last one did not succeed. */
const hasEnded = (status: string | null | undefined): boolean => isRolledBack(status) || isDeleted(status)

const hadNoEffect = ({ name, status }: NodeGroup): CoeError =>
  failed(`Magnum accepted the request for node group "${name}", but did nothing: it is still ${status}`, {
    hint: conductorHint,
  })

const wasNotCreated = (name: string): CoeError =>
  failed(`Magnum accepted the request for node group "${name}", but did not create it`, { hint: conductorHint })
