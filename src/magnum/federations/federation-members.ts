/**
 * Joins and unjoins clusters one at a time: Magnum computes the new list from the one it read last, so of two changes at once
 * one is lost. coe waits for each change before it sends the next.
 */
import { CoeError, conflict, failed } from '../../core/errors.ts'
import type { MemberOutcome } from '../../model/backend.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { Federation } from '../../model/federation.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { isMoving } from '../../model/status.ts'
import { listClusters } from '../../openstack/magnum-api/clusters.ts'
import { getFederation } from '../../openstack/magnum-api/federations.ts'
import type { Service } from '../../openstack/service.ts'
import { recorder } from '../dry-run.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { memberUuid } from './federation-member-ref.ts'
import { sendMembership, type Verb } from './federation-patch.ts'
import { watchFederation } from './watch-federation.ts'

interface Work {
  context: MagnumContext
  service: Service
  verb: Verb
  clusters: readonly Cluster[]
  op: ScopedOperation
}

export async function changeMembers(
  context: MagnumContext,
  verb: Verb,
  federation: Federation,
  refs: readonly string[],
  op: ScopedOperation,
): Promise<MemberOutcome[]> {
  const service = await context.session.magnum(op.signal)
  const work: Work = { context, service, verb, clusters: await listClusters(service, {}, false), op }
  const outcomes: MemberOutcome[] = []
  const uuids: string[] = []
  let current = federation
  let noEffect = false
  for (const cluster of refs) {
    op.signal.throwIfAborted()
    try {
      if (noEffect) throw failed(`${verb} of "${cluster}" was not tried: the one before had no effect`)
      const uuid = memberUuid(context, verb, cluster, work.clusters, current)
      uuids.push(uuid)
      const turn = await takeTurn(work, current, cluster, uuid)
      current = turn.federation
      outcomes.push(turn.outcome)
    } catch (error) {
      if (op.signal.aborted) throw error
      op.report.fail(cluster)
      noEffect ||= error instanceof CoeError && error.details.silent === true
      outcomes.push({ cluster, result: 'failed', error: error as Error })
      current = await getFederation(service, federation.uuid).then(withMembers, () => current)
    }
  }
  return verb === 'join' && !op.dryRun ? outcomes.map((o, i) => stillThere(o, uuids[i], current)) : outcomes
}

async function takeTurn(
  work: Work,
  federation: Federation,
  cluster: string,
  uuid: string,
): Promise<{ federation: Federation; outcome: MemberOutcome }> {
  const { context, service, verb, op } = work
  const joining = verb === 'join'
  if (federation.member_ids.includes(uuid) === joining) {
    return { federation, outcome: { cluster, result: 'unchanged' } }
  }
  const known = work.clusters.some(c => c.uuid === uuid)
  if (op.dryRun) {
    const dry = recorder(service)
    await sendMembership(dry.service, verb, federation, uuid, known)
    const member_ids = joining ? [...federation.member_ids, uuid] : federation.member_ids.filter(m => m !== uuid)
    return {
      federation: { ...federation, member_ids },
      outcome: { cluster, result: 'planned', planned: dry.take() },
    }
  }
  op.report.step(cluster, joining ? 'joining' : 'leaving')
  const before = await untilIdle(work, federation, cluster)
  await sendMembership(service, verb, before, uuid, known)
  const goal = (f: Federation) => (f.member_ids ?? []).includes(uuid) === joining
  const watch = {
    before,
    what: joining ? `joined by ${cluster}` : `left by ${cluster}`,
    goal,
    untilComplete: true,
    label: cluster,
  }
  const after = withMembers((await watchFederation(context, watch, op)) as Federation)
  op.report.done(cluster, joining ? 'joined' : 'left')
  return { federation: after, outcome: { cluster, result: joining ? 'joined' : 'unjoined' } }
}

/** During another client's change, Magnum would compute ours from a list that is about to be replaced. */
async function untilIdle({ context, op }: Work, federation: Federation, label: string): Promise<Federation> {
  if (!isMoving(federation.status)) return federation
  const watch = {
    before: federation,
    what: 'free of other changes',
    goal: (f: Federation) => !isMoving(f.status),
    label,
  }
  return withMembers((await watchFederation(context, watch, op)) as Federation)
}

/** Another client's change may have been computed without ours, which is then lost. */
function stillThere(outcome: MemberOutcome, uuid: string | undefined, federation: Federation): MemberOutcome {
  if (outcome.result !== 'joined' || uuid === undefined || federation.member_ids.includes(uuid)) return outcome
  const error = conflict(
    `"${outcome.cluster}" joined, but is no longer a member: another client changed the federation`,
    {
      hint: 'run this again when that change is complete',
    },
  )
  return { cluster: outcome.cluster, result: 'failed', error }
}

const withMembers = (f: Federation): Federation => ({ ...f, member_ids: f.member_ids ?? [] })
