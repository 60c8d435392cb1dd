/** Joins clusters in parallel under one lock: a join that fails does not stop the others. */

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
import { driverOf, placeArgs, plannedOf, refuseErrors, siteOf } from '../federations/site.ts'
import { askJoin, joinDone, type MemberIntent } from '../records/intent.ts'
import { lackingRights, markRights, withRights } from '../records/rights.ts'
import { findFederation } from '../references/find.ts'
import {
  type Candidate,
  failure,
  type Joining,
  onlyOnce,
  refuseUnfinished,
  type Target,
  target,
} from './join-targets.ts'
import { grantMarkerAccess, listMembers, type MemberRecord, writeMember } from './member-record.ts'

const atOnce = 16

export async function joinMembers(
  deps: Standalone,
  ref: string,
  requests: readonly MemberRequest[],
  place: FederationPlace,
  op: ScopedOperation,
  { resume: statedResume, ...how }: JoinOptions & { resume?: CoeStep },
): Promise<MemberOutcome[]> {
  const located = await findFederation(deps, ref, place)
  refuseUnfinished(located)
  const engine = await driverOf(deps, located)
  const driver = engine.federations
  const options = checkedOptions(engine, 'federation join', { options: how.driverOptions ?? {} })
  const { record, host } = located
  const clusters = how.resumeArgs ?? requests.map(r => r.cluster)
  const args = [...clusters, ...driverArgs(engine.name, options), ...placeArgs(place)]
  const resume = statedResume ?? standaloneStep('resume', 'federation join', record.name, ...args)
  const opened = driver.open(siteOf(located, op.signal))
  const kept = keptOptions(engine, options).options
  const joining: Joining = { deps, located, driver, op, how, plans: { resume, options }, opened }
  const members = await listMembers(host, record, deps.call.signal)
  const named = onlyOnce(await mapLimit(requests, atOnce, request => target(joining, request, members)))
  await deps.local.clusters.remember(named.flatMap(one => ('ready' in one ? one.ready.cluster : [])))
  const targets = await mapLimit(named, atOnce, one => checkedTarget(joining, one))
  if (op.dryRun) return mapLimit(targets, atOnce, one => outcome(one, candidate => planJoin(joining, candidate)))
  // if every cluster is refused, nothing changes: no lock is taken, and the record gets no entry
  if (!targets.some(one => 'ready' in one)) return mapLimit(targets, atOnce, one => outcome(one, refusedAlready))
  const candidates = targets.flatMap(one => ('ready' in one ? one.ready : []))
  const about = aboutText(candidates.map(({ name }) => name))
  const asks = askJoin(candidates.map(candidate => intentOf(candidate, how, kept)))
  const joined = new Map<string, Omit<MemberOutcome, 'cluster'>>()
  return changing(deps, located, { verb: 'join', about, asks }, op, run =>
    joinUnderLock(joining, run, { targets, candidates, joined }),
  )
}

interface Attempt {
  targets: readonly Target[]
  candidates: readonly Candidate[]
  /** Outcomes by member name: what was done before an outage of the host is not done a second time. */
  joined: Map<string, Omit<MemberOutcome, 'cluster'>>
}

async function joinUnderLock(
  joining: Joining,
  run: Run,
  { targets, candidates, joined }: Attempt,
): Promise<Work<MemberOutcome[]>> {
  const { driver, located, how } = joining
  const isRetry = run.stale || run.resumed
  const current = isRetry ? { ...joining, opened: driver.open(siteOf(located, run.signal)) } : joining
  const remaining = isRetry ? await mapLimit(targets, atOnce, one => checkedTarget(current, one)) : targets
  const join = async (candidate: Candidate) => {
    const end = joined.get(candidate.name) ?? (await joinOne({ ...current, op: run.op }, candidate, run))
    joined.set(candidate.name, end)
    return end
  }
  const value = await mapLimit(remaining, how.concurrency ?? atOnce, one => outcome(one, join))
  run.signal.throwIfAborted()
  const cutOff = value.find(v => run.isCutOff(v.error))?.error
  // a cluster that was refused before its join began is no failure of the federation
  const refused = new Set<unknown>(remaining.flatMap(one => ('ready' in one ? [] : [one.error])))
  const problem = value.find(v => v.error && !refused.has(v.error))?.error?.message
  const done = candidates.filter(({ argument }) => value.some(v => v.cluster === argument && v.result !== 'failed'))
  return { value, cutOff, problem, left: joinDone(done.map(({ name }) => name)) }
}

function intentOf({ name, cluster, known, settings }: Candidate, how: JoinOptions, options: Options): MemberIntent {
  const reference = sharedReference(cluster.reference) ?? (known?.reference || undefined)
  return {
    name,
    uid: cluster.uid,
    server: cluster.access.server,
    ...(reference === undefined ? {} : { reference }),
    settings,
    ...(Object.keys(options).length ? { options } : {}),
    ...(how.allowHost ? { allowHost: true } : {}),
  }
}

/** Refuses whatever is known to fail before anything is written. */
async function checkedTarget(joining: Joining, one: Target): Promise<Target> {
  if (!('ready' in one)) return one
  const { name } = one.ready
  const doing = `join "${name}" to federation "${joining.located.record.name}"`
  const note = reportFor(joining.op.report, name).note
  const end = await resultOf(checkedJoin(joining, one.ready.request))
  if (!end.ok) return failure(one.argument, end.error)
  const { findings, found } = end.value
  const refused = await resultOf((async () => refuseErrors(findings, doing, note))())
  return refused.ok ? { ...one, ready: { ...one.ready, found } } : failure(one.argument, refused.error)
}

const refusedAlready = async (): Promise<Omit<MemberOutcome, 'cluster'>> => ({ result: 'failed' })

async function outcome(
  one: Target,
  work: (ready: Candidate) => Promise<Omit<MemberOutcome, 'cluster'>>,
): Promise<MemberOutcome> {
  const cluster = one.argument
  if (!('ready' in one)) return { cluster, result: 'failed', error: one.error }
  const end = await resultOf(work(one.ready))
  if (end.ok) return { cluster, ...end.value }
  if (end.error instanceof CoeError) return { cluster, result: 'failed', error: end.error }
  throw end.error
}

async function checkedJoin({ driver, op, opened }: Joining, request: JoinRequest): Promise<JoinCheck> {
  const { member, name } = request
  const rights = [...markRights, ...(driver.memberRights?.(name) ?? [])]
  const check = opened.preflightJoin(request)
  const findings = await withRights(
    lackingRights(member, rights, member.name, op.signal),
    check.then(({ findings }) => findings),
  )
  // if rights are lacking, the driver's check may have failed only because of that
  return findings.some(f => f.level === 'error') ? { findings } : { ...(await check), findings }
}

async function planJoin(joining: Joining, candidate: Candidate): Promise<Omit<MemberOutcome, 'cluster'>> {
  const { op, plans, opened } = joining
  const plan = await opened.join(candidate.request, { ...plans, found: candidate.found })
  const view = await (candidate.known ? viewChanges : viewPlan)(plan, op.signal)
  const same = candidate.known?.state === 'joined' && view.steps.every(isUnchanged)
  return { result: same ? 'unchanged' : 'planned', planned: plannedOf(view), notes: [{ kind: 'plan', view }] }
}

async function joinOne(joining: Joining, candidate: Candidate, run: Run): Promise<Omit<MemberOutcome, 'cluster'>> {
  const { deps, located, op, plans, opened } = joining
  const { name, cluster, known, settings, request, found } = candidate
  const { signal, runId } = run
  const { host, record } = located
  const report = reportFor(op.report, name)
  const member: MemberRecord = {
    name,
    uid: cluster.uid,
    reference: sharedReference(cluster.reference) ?? known?.reference ?? '',
    server: request.server ?? cluster.access.server,
    settings,
    state: 'joining',
    joinedAt: known?.joinedAt || new Date(deps.world.clock.now()).toISOString(),
  }
  // the plan is made before the first write: if it cannot be made, nothing has changed
  const plan = { ...(await opened.join(request, { ...plans, found })), exact: known?.state === 'joined' }
  if (known?.state !== 'joined') {
    run.changed()
    await writeMember(host, record, member, runId, signal)
  }
  const running = { op: { ...op, wait: true, report }, clock: deps.world.clock, signal, onChange: run.changed }
  const result = await runPlan(plan, { ...running, resume: plans.resume })
  if (known?.state === 'joined' && !result.changed) return { result: 'unchanged' }
  await grantMarkerAccess(cluster.api, record, signal)
  await writeMember(host, record, { ...member, state: 'joined' }, runId, signal)
  return { result: 'joined' }
}

/** Prefixes each line with the member: the plans of several members have steps of the same names. */
export const reportFor = (report: Report, member: string): Report => ({
  step: (id, text, trouble) => report.step(`${member} ${id}`, text, trouble),
  done: (id, text) => report.done(`${member} ${id}`, text),
  fail: (id, text) => report.fail(`${member} ${id}`, text),
  note: (text, next) => report.note(`${member}: ${text}`, next),
})
