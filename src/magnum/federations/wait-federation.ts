/** Looks at a federation until it is as wanted; nobody here has asked for a change. */
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

/** Undefined: it is gone. */
export async function waitForFederation(
  context: MagnumContext,
  { uuid, name: itsName }: Federation,
  goal: FederationGoal,
  op: ScopedOperation,
): Promise<Federation | undefined> {
  const name = itsName ?? uuid
  let last: string | undefined
  const look = async (service: Service): Promise<{ federation: Federation | undefined } | undefined> => {
    const now = await getFederation(service, uuid).catch(gone)
    if (now === 'gone') {
      if (goal.kind === 'gone') return { federation: undefined }
      throw failed(`federation "${name}" is gone: somebody deleted it`)
    }
    const { status } = now
    const deleting = status?.startsWith('DELETE_') === true
    // of one that is to go, a change that failed before tells nothing
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
    const probe = { look, seen: () => last }
    const { federation } = await waitUntil(context, probe, op, `federation "${name}" ${goalText(goal)}`)
    op.report.done(name, reachedText(goal))
    return federation
  } catch (error) {
    op.report.fail(name, last)
    throw error
  }
}

/** By uuid, or by a name that a member has. */
async function missingMember(
  service: Service,
  { member_ids: ids }: Federation,
  cluster: string,
): Promise<string | undefined> {
  if (ids?.includes(cluster)) return undefined
  const clusters = ids?.length ? await listClusters(service, {}, false) : []
  const isMember = clusters.some(c => c.name === cluster && ids.includes(c.uuid))
  return isMember ? undefined : `"${cluster}" is no member`
}
