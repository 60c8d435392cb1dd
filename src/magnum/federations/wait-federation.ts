/** Waits until a federation reaches its goal, for `federation wait`. */
import { failed } from '../../core/errors.ts'
import type { Federation } from '../../model/federation.ts'
import { type FederationGoal, goalText, reachedText } from '../../model/federation-goal.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { hasFailed, isComplete, isMoving } from '../../model/status.ts'
import { listClusters } from '../../openstack/magnum-api/clusters.ts'
import { getFederation } from '../../openstack/magnum-api/federations.ts'
import type { Service } from '../../openstack/service.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { gone, waitUntil } from '../wait-until.ts'
import { federationFailed } from './watch-federation.ts'

/** Undefined: the federation is gone. */
export async function waitForFederation(
  context: MagnumContext,
  { uuid, name: ownName }: Federation,
  goal: FederationGoal,
  op: ScopedOperation,
): Promise<Federation | undefined> {
  const name = ownName ?? uuid
  let last: string | undefined
  const check = async (service: Service): Promise<{ federation: Federation | undefined } | undefined> => {
    const now = await getFederation(service, uuid).catch(gone)
    if (now === 'gone') {
      if (goal.kind === 'gone') return { federation: undefined }
      throw failed(`federation "${name}" is gone: another client deleted it`)
    }
    const { status } = now
    const deleting = status?.startsWith('DELETE_') === true
    // while waiting for its deletion, an earlier failed change does not matter
    if (hasFailed(status) && (goal.kind !== 'gone' || deleting)) throw federationFailed(now)
    if (goal.kind === 'ready' && isComplete(status) && !deleting) return { federation: now }
    const missing =
      goal.kind === 'member' && !isMoving(status) ? await missingMember(service, now, goal.cluster) : status
    if (missing === undefined) return { federation: now }
    if (missing !== last) op.report.step(name, String(missing))
    last = String(missing)
    return undefined
  }
  try {
    const probe = { check, lastState: () => last }
    const { federation } = await waitUntil(context, probe, op, `federation "${name}" ${goalText(goal)}`)
    op.report.done(name, reachedText(goal))
    return federation
  } catch (error) {
    op.report.fail(name, last)
    throw error
  }
}

/** What is missing if the cluster, by uuid or name, is not a member. */
async function missingMember(
  service: Service,
  { member_ids: ids }: Federation,
  cluster: string,
): Promise<string | undefined> {
  if (ids?.includes(cluster)) return undefined
  const clusters = ids?.length ? await listClusters(service, {}, false) : []
  const isMember = clusters.some(c => c.name === cluster && ids.includes(c.uuid))
  return isMember ? undefined : `"${cluster}" is not a member`
}
