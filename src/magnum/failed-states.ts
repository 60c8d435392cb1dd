/** Errors for clusters and node groups that end in a failed or unknown state, each with its reason. */

import { type CoeError, failed } from '../core/errors.ts'
import { type NextStep, nextStep } from '../core/next-step.ts'
import type { Clock } from '../core/world.ts'
import type { Cluster, NodeGroup } from '../model/cluster.ts'
import { isDeleted, isRolledBack, isUnknown } from '../model/status.ts'
import { getNodeGroup, listNodeGroups } from '../openstack/magnum-api/nodegroups.ts'
import type { Service } from '../openstack/service.ts'

/** Magnum's API answers before its conductor writes a status; no conductor takes longer than this. */
const unknownMs = 10_000

/** Returns an error once an unknown status has lasted for a while. */
export function unknownWatch(clock: Clock, what: string, inspect: NextStep) {
  let since: number | undefined
  return (status: string | null | undefined): CoeError | undefined => {
    since = isUnknown(status) ? (since ?? clock.now()) : undefined
    if (since === undefined || clock.now() - since < unknownMs) return undefined
    const problem = status ? `has the status "${status}", which Magnum is not known to have` : 'has no status'
    return failed(`${what} ${problem}: coe cannot tell whether it is complete`, { next: [inspect] })
  }
}

export function clusterFailed(cluster: Cluster): CoeError {
  const faults = Object.entries(cluster.faults ?? {}).map(([where, why]) => `${where}: ${why}`)
  const reason = [cluster.status_reason, ...faults].filter(Boolean).join('; ')
  return failed(`cluster "${cluster.name}" is ${cluster.status}${reason ? `: ${reason}` : ''}`, {
    next: [nextStep('see all of it', 'cluster show', cluster.name)],
    details: { cluster: cluster.uuid, cluster_status: cluster.status, faults: cluster.faults ?? undefined },
  })
}

export const clusterDeleted = ({ name, uuid, status }: Cluster): CoeError =>
  failed(`cluster "${name}" is ${status}: it was deleted`, { details: { cluster: uuid, cluster_status: status } })

/** Magnum keeps the reason of a rollback with the node groups, and may leave the count of nodes as it was asked for. */
export async function clusterRolledBack(service: Service, cluster: Cluster): Promise<CoeError> {
  const { name, uuid, status } = cluster
  const reason = cluster.status_reason || (await rolledBackGroups(service, uuid)).join('; ')
  return failed(
    `the last change of cluster "${name}" failed and was rolled back (${status})${reason && `: ${reason}`}`,
    {
      next: [nextStep('check it, and try again', 'cluster show', name)],
      details: { cluster: uuid, cluster_status: status, status_reason: reason || undefined },
    },
  )
}

/** Why the default groups were rolled back, as far as coe can read it: Heat's reason, which they share. */
export async function rolledBackGroups(service: Service, cluster: string): Promise<string[]> {
  const groups = await listNodeGroups(service, cluster, {}).catch(() => [])
  const shown = await Promise.all(
    groups.filter(g => isRolledBack(g.status)).map(g => getNodeGroup(service, cluster, g.uuid).catch(() => g)),
  )
  // an update changes only the default groups; the state of any other comes from an earlier change
  const own = shown.filter(g => g.is_default !== false)
  return [...new Set(own.map(g => g.status_reason || `node group "${g.name}" is ${g.status}`))]
}

export function nodeGroupFailed(cluster: Cluster, { uuid, name, status, status_reason }: NodeGroup): CoeError {
  const what = isRolledBack(status)
    ? `the last change of node group "${name}" of cluster "${cluster.name}" failed and was rolled back (${status})`
    : `node group "${name}" of cluster "${cluster.name}" is ${status}`
  const reason = status_reason ? `: ${status_reason}` : ''
  return failed(`${what}${reason}`, {
    ...(isDeleted(status) ? {} : { next: [nextStep('inspect', 'nodegroup show', cluster.name, name)] }),
    details: { nodegroup: uuid, nodegroup_status: status },
  })
}
