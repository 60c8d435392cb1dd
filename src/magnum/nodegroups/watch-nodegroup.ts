/** Looking at a node group until it is as wanted, and its cluster has come to rest as well. */

import { type CoeError, failed } from '../../core/errors.ts'
import { nextStep } from '../../core/next-step.ts'
import type { Cluster, NodeGroup } from '../../model/cluster.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { hasFailed, isDeleted, isDone, isMoving, isRolledBack, isUnknown } from '../../model/status.ts'
import { getCluster } from '../../openstack/magnum-api/clusters.ts'
import { getNodeGroup } from '../../openstack/magnum-api/nodegroups.ts'
import type { Service } from '../../openstack/service.ts'
import { groupEndedBadly, unknownWatch } from '../failed-states.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { checkAgain, conductorHint, differs, gone, noteStopped, silenceMs, waitUntil } from '../wait-until.ts'

export interface GroupWatch {
  /** As it was before the change. */
  cluster: Cluster
  uuid: string
  name: string
  goal: 'complete' | 'gone'
  /** The group before the change; without it, it is being made, and may not be there yet. */
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
    op.report.fail(name, probe.seen() ?? 'not seen')
    const show = nextStep(checkAgain, 'nodegroup show', cluster.name, name)
    noteStopped(op, `node group "${name}" of cluster "${cluster.name}"`, show)
    throw error
  }
}

function makeProbe(context: MagnumContext, watch: GroupWatch, op: ScopedOperation) {
  const { clock } = context
  const { uuid, name, goal, before, cluster } = watch
  const started = clock.now()
  const silent = () => clock.now() - started > silenceMs
  let last: NodeGroup | undefined
  let clusterStatus: string | null = null
  const show = nextStep('inspect', 'nodegroup show', cluster.name, name)
  const showCluster = nextStep('inspect', 'cluster show', cluster.name)
  const unknown = unknownWatch(clock, `node group "${name}" of cluster "${cluster.name}"`, show)
  const unknownCluster = unknownWatch(clock, `cluster "${cluster.name}"`, showCluster)
  return {
    seen: () => last && [last.status, last.status_reason].filter(Boolean).join(', '),
    async look(service: Service): Promise<{ group: NodeGroup | undefined } | undefined> {
      const group = await getNodeGroup(service, cluster.uuid, uuid).catch(gone)
      if (group === 'gone') {
        if (goal === 'gone') return (await clusterRests(service)) ? { group: undefined } : undefined
        if (before === undefined && last === undefined && !silent()) return undefined
        throw last || before ? failed(`node group "${name}" is gone: somebody deleted it`) : neverCame(name)
      }
      if (group.status !== last?.status) op.report.step(name, String(group.status))
      last = group
      const begun = before === undefined || isMoving(group.status) || differs(group, before)
      if (begun && (hasFailed(group.status) || (goal === 'complete' && hasEnded(group.status))))
        throw groupEndedBadly(cluster, group)
      const odd = begun && goal === 'complete' ? unknown(group.status) : undefined
      if (odd) throw odd
      if (begun && goal === 'complete' && isDone(group.status))
        return (await clusterRests(service)) ? { group } : undefined
      if (!isMoving(group.status) && silent()) throw nothingCame(group)
      return undefined
    },
  }

  /** Its status follows those of its groups some seconds later; no change of ours should begin before. */
  async function clusterRests(service: Service): Promise<boolean> {
    const now = await getCluster(service, cluster.uuid).catch(gone)
    if (now === 'gone') return true
    if (isMoving(now.status)) {
      if (now.status !== clusterStatus) op.report.step(cluster.name, String(now.status))
      clusterStatus = now.status
      return false
    }
    if (isUnknown(now.status)) {
      const odd = unknownCluster(now.status)
      if (odd) throw odd
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

/** At rest, and not as anybody wanted it. */
const hasEnded = (status: string | null | undefined): boolean => isRolledBack(status) || isDeleted(status)

const nothingCame = ({ name, status }: NodeGroup): CoeError =>
  failed(`Magnum accepted the request for node group "${name}", and then did nothing: it is still ${status}`, {
    hint: conductorHint,
  })

const neverCame = (name: string): CoeError =>
  failed(`Magnum accepted the request for node group "${name}", and then did not make it`, { hint: conductorHint })
