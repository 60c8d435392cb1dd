/** Joins clusters, side by side under one lock: one that fails keeps no other from its turn. */

import { mapLimit, resultOf } from '../../core/concurrency.ts'
import { CoeError } from '../../core/errors.ts'
import { type CoeStep, standaloneStep } from '../../core/next-step.ts'
import type { JoinCheck, JoinRequest, Options } from '../../drivers/driver-api.ts'
import type { FederationPlace, JoinOptions, MemberOutcome } from '../../model/backend.ts'
import type { Report } from '../../model/call.ts'
import { type MemberRequest, sharedReference } from '../../model/member-request.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { isUnchanged } from '../../model/planned-change.ts'
import { viewChanges } from '../../plan/changes.ts'
import { viewPlan } from '../../plan/dry-run.ts'
import { runPlan } from '../../plan/engine.ts'
import type { Standalone } from '../deps.ts'
import { changing, type Run, type Work } from '../federations/change.ts'
import { aboutText } from '../federations/history.ts'
import { checkedOptions, driverArgs, keptOptions } from '../federations/settings.ts'
import { driverOf, heed, placeArgs, plannedOf, siteOf } from '../federations/site.ts'
import { askJoin, joinDone, type MemberIntent } from '../records/intent.ts'
import { lackingRights, markRights, withRights } from '../records/rights.ts'
import { findFederation } from '../references/find.ts'
import { type Candidate, failure, type Joint, onlyOnce, refuseUnfinished, type Target, target } from './join-targets.ts'
import { letMarkBeSeen, listMembers, type MemberRecord, writeMember } from './member-record.ts'

const atOnce = 16

export async function joinMembers(
  deps: Standalone,
  ref: string,
  requests: readonly MemberRequest[],
  place: FederationPlace,
  op: ScopedOperation,
  { resume: given, ...how }: JoinOptions & { resume?: CoeStep },
): Promise<MemberOutcome[]> {
  const located = await findFederation(deps, ref, place)
  refuseUnfinished(located)
  const made = await driverOf(deps, located)
  const driver = made.federations
  const options = checkedOptions(made, 'federation join', { options: how.driverOptions ?? {} })
  const { record, host } = located
  const clusters = how.resumeArgs ?? requests.map(r => r.cluster)
  const args = [...clusters, ...driverArgs(made.name, options), ...placeArgs(place)]
  const resume = given ?? standaloneStep('resume', 'federation join', record.name, ...args)
  const opened = driver.open(siteOf(located, op.signal))
  const kept = keptOptions(made, options).options
  const joint: Joint = { deps, located, driver, op, how, plans: { resume, options }, opened }
  const members = await listMembers(host, record, deps.call.signal)
  const named = onlyOnce(await mapLimit(requests, atOnce, request => target(joint, request, members)))
  await deps.local.clusters.remember(named.flatMap(one => ('ready' in one ? one.ready.cluster : [])))
  const targets = await mapLimit(named, atOnce, one => looked(joint, one))
  if (op.dryRun) return mapLimit(targets, atOnce, one => outcome(one, candidate => planJoin(joint, candidate)))
  // what is refused beforehand has changed nothing: no lock for it, and no mark on the federation
  if (!targets.some(one => 'ready' in one)) return mapLimit(targets, atOnce, one => outcome(one, refusedAlready))
  const candidates = targets.flatMap(one => ('ready' in one ? one.ready : []))
  const about = aboutText(candidates.map(({ name }) => name))
  const asks = askJoin(candidates.map(candidate => intentOf(candidate, how, kept)))
  const joined = new Map<string, Omit<MemberOutcome, 'cluster'>>()
  return changing(deps, located, { verb: 'join', about, asks }, op, run =>
    joinUnderLock(joint, run, { targets, candidates, joined }),
  )
}

interface Attempt {
  targets: readonly Target[]
  candidates: readonly Candidate[]
  /** By name: those that joined before an outage of the host cut the attempt off are not looked at again. */
  joined: Map<string, Omit<MemberOutcome, 'cluster'>>
}

async function joinUnderLock(
  joint: Joint,
  run: Run,
  { targets, candidates, joined }: Attempt,
): Promise<Work<MemberOutcome[]>> {
  const { driver, located, how } = joint
  const anew = run.stale || run.resumed
  const now = anew ? { ...joint, opened: driver.open(siteOf(located, run.signal)) } : joint
  const still = anew ? await mapLimit(targets, atOnce, one => looked(now, one)) : targets
  const join = async (candidate: Candidate) => {
    const end = joined.get(candidate.name) ?? (await joinOne({ ...now, op: run.op }, candidate, run))
    joined.set(candidate.name, end)
    return end
  }
  const value = await mapLimit(still, how.concurrency ?? atOnce, one => outcome(one, join))
  run.signal.throwIfAborted()
  const cutOff = value.find(v => run.isCutOff(v.error))?.error
  // who was refused beforehand has left no trace of it, and no failure of the federation's
  const refused = new Set<unknown>(still.flatMap(one => ('ready' in one ? [] : [one.error])))
  const problem = value.find(v => v.error && !refused.has(v.error))?.error?.message
  const done = candidates.filter(({ given }) => value.some(v => v.cluster === given && v.result !== 'failed'))
  return { value, cutOff, problem, left: joinDone(done.map(({ name }) => name)) }
}

function intentOf({ name, cluster, known, said }: Candidate, how: JoinOptions, options: Options): MemberIntent {
  const reference = sharedReference(cluster.reference) ?? (known?.reference || undefined)
  return {
    name,
    uid: cluster.uid,
    server: cluster.access.server,
    ...(reference === undefined ? {} : { reference }),
    settings: said,
    ...(Object.keys(options).length ? { options } : {}),
    ...(how.allowHost ? { allowHost: true } : {}),
  }
}

/** Whatever can be known to fail is refused while nothing is written. */
async function looked(joint: Joint, one: Target): Promise<Target> {
  if (!('ready' in one)) return one
  const { name } = one.ready
  const doing = `join "${name}" to federation "${joint.located.record.name}"`
  const note = reportFor(joint.op.report, name).note
  const end = await resultOf(checkedJoin(joint, one.ready.request))
  if (!end.ok) return failure(one.given, end.error)
  const { findings, found } = end.value
  const refused = await resultOf((async () => heed(findings, doing, note))())
  return refused.ok ? { ...one, ready: { ...one.ready, found } } : failure(one.given, refused.error)
}

const refusedAlready = async (): Promise<Omit<MemberOutcome, 'cluster'>> => ({ result: 'failed' })

async function outcome(
  one: Target,
  work: (ready: Candidate) => Promise<Omit<MemberOutcome, 'cluster'>>,
): Promise<MemberOutcome> {
  const cluster = one.given
  if (!('ready' in one)) return { cluster, result: 'failed', error: one.error }
  const end = await resultOf(work(one.ready))
  if (end.ok) return { cluster, ...end.value }
  if (end.error instanceof CoeError) return { cluster, result: 'failed', error: end.error }
  throw end.error
}

async function checkedJoin({ driver, op, opened }: Joint, request: JoinRequest): Promise<JoinCheck> {
  const { member, name } = request
  const rights = [...markRights, ...(driver.memberRights?.(name) ?? [])]
  const check = opened.preflightJoin(request)
  const findings = await withRights(
    lackingRights(member, rights, member.name, op.signal),
    check.then(({ findings }) => findings),
  )
  // where rights are lacking, the driver's own check may have failed for want of them
  return findings.some(f => f.level === 'error') ? { findings } : { ...(await check), findings }
}

async function planJoin(joint: Joint, candidate: Candidate): Promise<Omit<MemberOutcome, 'cluster'>> {
  const { op, plans, opened } = joint
  const plan = await opened.join(candidate.request, { ...plans, found: candidate.found })
  const view = await (candidate.known ? viewChanges : viewPlan)(plan, op.signal)
  const same = candidate.known?.state === 'joined' && view.steps.every(isUnchanged)
  return { result: same ? 'unchanged' : 'planned', planned: plannedOf(view), notes: [{ kind: 'plan', view }] }
}

async function joinOne(joint: Joint, candidate: Candidate, run: Run): Promise<Omit<MemberOutcome, 'cluster'>> {
  const { deps, located, op, plans, opened } = joint
  const { name, cluster, known, said, request, found } = candidate
  const { signal, runId } = run
  const { host, record } = located
  const report = reportFor(op.report, name)
  const member: MemberRecord = {
    name,
    uid: cluster.uid,
    reference: sharedReference(cluster.reference) ?? known?.reference ?? '',
    server: request.server ?? cluster.access.server,
    said,
    state: 'joining',
    joinedAt: known?.joinedAt || new Date(deps.world.clock.now()).toISOString(),
  }
  // the plan is made before the first write: what stands in its way has changed nothing
  const plan = { ...(await opened.join(request, { ...plans, found })), exact: known?.state === 'joined' }
  if (known?.state !== 'joined') {
    run.changed()
    await writeMember(host, record, member, runId, signal)
  }
  const running = { op: { ...op, wait: true, report }, clock: deps.world.clock, signal, onChange: run.changed }
  const result = await runPlan(plan, { ...running, resume: plans.resume })
  if (known?.state === 'joined' && !result.changed) return { result: 'unchanged' }
  await letMarkBeSeen(cluster.api, record, signal)
  await writeMember(host, record, { ...member, state: 'joined' }, runId, signal)
  return { result: 'joined' }
}

/** Steps of several plans have the same names. */
export const reportFor = (report: Report, member: string): Report => ({
  step: (id, text, trouble) => report.step(`${member} ${id}`, text, trouble),
  done: (id, text) => report.done(`${member} ${id}`, text),
  fail: (id, text) => report.fail(`${member} ${id}`, text),
  note: (text, next) => report.note(`${member}: ${text}`, next),
})
