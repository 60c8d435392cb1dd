/** Takes members out in parallel under one lock. The record identifies a member, whatever its context is called now. */
import { mapLimit, resultOf } from '../../core/concurrency.ts'
import { CoeError } from '../../core/errors.ts'
import { type CoeStep, flagArg, optionArgs, type StepArg, standaloneStep } from '../../core/next-step.ts'
import type { FederationDriver, OpenFederation, Options, UnjoinRequest } from '../../drivers/driver-api.ts'
import type { FederationPlace, MemberHoldings, MemberOutcome, UnjoinOptions } from '../../model/backend.ts'
import type { MemberNote } from '../../model/notes.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { viewPlan } from '../../plan/dry-run.ts'
import { runPlan } from '../../plan/engine.ts'
import type { Standalone } from '../deps.ts'
import { changing, type Run, type Work } from '../federations/change.ts'
import { aboutText, type HistoryEntry } from '../federations/history.ts'
import { leftOnMember } from '../federations/left-behind.ts'
import { checkedOptions, driverArgs, keptOptions } from '../federations/settings.ts'
import { driverOf, placeArgs, plannedOf, siteOf } from '../federations/site.ts'
import { askUnjoin, unjoinDone } from '../records/intent.ts'
import type { Located } from '../records/on-host.ts'
import { findFederation } from '../references/find.ts'
import { reportFor } from './join.ts'
import { deleteMember, listMembers, type MemberRecord, removeMarker, writeMember } from './member-record.ts'
import { openMember, openMemberBy } from './reach.ts'
import { memberOf, type References, recordedName, type Target, target } from './unjoin-targets.ts'

interface Unjoining {
  deps: Standalone
  /** Finds the references of each member on this machine; read once for all of them. */
  references: References
  located: Located
  driver: FederationDriver
  op: ScopedOperation
  how: UnjoinOptions
  resume: CoeStep
  /** Options of the driver. */
  options: Options
  /** Those of `options` that the record keeps until the unjoin is done. */
  kept?: Options
  /** Shared by all unjoins of this run, so that the federation's API is opened once. */
  opened?: OpenFederation
}

type Outcome = Omit<MemberOutcome, 'cluster'>

const atOnce = 16

export async function unjoinMembers(
  deps: Standalone,
  ref: string,
  clusters: readonly string[],
  place: FederationPlace,
  op: ScopedOperation,
  how: UnjoinOptions,
): Promise<MemberOutcome[]> {
  const located = await findFederation(deps, ref, place)
  const engine = await driverOf(deps, located)
  const options = checkedOptions(engine, 'federation unjoin', { options: how.driverOptions ?? {} })
  const { record } = located
  const args = [...clusters, ...unjoinArgs(how), ...driverArgs(engine.name, options), ...placeArgs(place)]
  const resume = standaloneStep('resume', 'federation unjoin', record.name, ...args)
  const references = await deps.local.clusters.references()
  const distinct = [...new Set(clusters)]
  const unjoining = {
    ...{ deps, references, located, driver: engine.federations, op, how, resume, options },
    kept: keptOptions(engine, options).options,
  }
  return unjoinAll(unjoining, (members, history) =>
    mapLimit(distinct, atOnce, one => target({ deps, references }, one, members, history)),
  )
}

/** Finishes unjoins that any user began, by names in the federation, which mean the same on every machine. */
export async function finishUnjoins(
  deps: Standalone,
  located: Located,
  names: readonly string[],
  op: ScopedOperation,
  { resume, ...how }: UnjoinOptions & { resume: CoeStep },
): Promise<MemberOutcome[]> {
  const engine = await driverOf(deps, located)
  const options = checkedOptions(engine, 'federation unjoin', { options: how.driverOptions ?? {} })
  const references = await deps.local.clusters.references()
  const unjoining = {
    ...{ deps, references, located, driver: engine.federations, op, how, resume, options },
    kept: keptOptions(engine, options).options,
  }
  return unjoinAll(unjoining, async members =>
    names.map(argument => ({ argument, member: members.find(m => m.name === argument) })),
  )
}

type FindTargets = (members: readonly MemberRecord[], history: readonly HistoryEntry[]) => Promise<Target[]>

async function unjoinAll(unjoining: Unjoining, find: FindTargets): Promise<MemberOutcome[]> {
  const { deps, located, op, how, kept = {} } = unjoining
  const { host, record } = located
  const targets = await find(await listMembers(host, record, op.signal), record.history)
  if (op.dryRun) return each(targets, member => planOne(unjoining, member))
  // if no argument means a member, nothing changes: no lock is taken, and the record gets no entry
  const names = targets.flatMap(one => ('error' in one ? [] : recordedName(one)))
  if (names.length === 0) return each(targets, async () => ({ result: 'failed' }))
  const leaving = targets.flatMap(one => ('error' in one || !one.member ? [] : one.member.name))
  const intents = leaving.map(name => ({
    name,
    workloads: how.workloads ?? 'keep',
    force: how.force ?? false,
    ...(Object.keys(kept).length ? { options: kept } : {}),
  }))
  const change = {
    verb: 'unjoin' as const,
    about: aboutText(names),
    members: names,
    asks: askUnjoin(intents, [...leaving, ...names]),
  }
  const attempt = { targets, find, finished: new Map<string, Outcome>() }
  return changing(deps, located, change, op, run => unjoinUnderLock(unjoining, run, attempt))
}

interface Attempt {
  targets: readonly Target[]
  find: FindTargets
  /** Members that left before an outage of the host cut the attempt off. */
  finished: Map<string, Outcome>
}

async function unjoinUnderLock(
  unjoining: Unjoining,
  run: Run,
  { targets, find, finished }: Attempt,
): Promise<Work<MemberOutcome[]>> {
  const { located, driver } = unjoining
  const { host, record } = located
  const { signal, runId } = run
  const here = { ...unjoining, op: run.op, opened: driver.open(siteOf(located, signal)) }
  const before = run.record().history.filter(entry => entry.run !== runId)
  // the run that held the lock before may have joined clusters, or taken these out
  const now = run.stale ? await find(await listMembers(host, record, signal), before) : targets
  const value = await each(now, async member => {
    const end = (member && finished.get(member.name)) ?? (await unjoinOne(here, member, run))
    if (member) finished.set(member.name, end)
    return end
  })
  signal.throwIfAborted()
  const cutOff = value.find(v => run.isCutOff(v.error))?.error
  const unknown = new Set<unknown>(now.flatMap(one => ('error' in one ? [one.error] : [])))
  const problem = value.find(v => v.error && !unknown.has(v.error))?.error?.message
  const done = now.filter(one => value.some(v => v.cluster === one.argument && v.result !== 'failed'))
  const names = done.flatMap(one => ('error' in one ? [] : [one.argument, ...(one.member ? [one.member.name] : [])]))
  return { value, cutOff, problem, left: unjoinDone(names) }
}

/** The next step repeats these options: without them, it would keep workloads that this run deletes. */
const unjoinArgs = ({ workloads, force, clusterContext }: UnjoinOptions): StepArg[] => [
  ...optionArgs('workloads', workloads),
  ...optionArgs('cluster-context', clusterContext),
  ...flagArg('force', force),
  ...flagArg('yes', force || workloads === 'delete'),
]

/** What the named members hold; other clusters are left out. */
export async function memberHoldings(
  deps: Standalone,
  ref: string,
  clusters: readonly string[],
  place: FederationPlace,
): Promise<MemberHoldings[]> {
  const located = await findFederation(deps, ref, place)
  const { federations: driver } = await driverOf(deps, located)
  const members = await listMembers(located.host, located.record, deps.call.signal)
  const opened = driver.open(siteOf(located, deps.call.signal))
  const references = await deps.local.clusters.references()
  const found = await mapLimit([...new Set(clusters)], atOnce, async argument => {
    const member = await memberOf({ deps, references }, argument, members, located.record.history)
    return member && { member: member.name, ...(await opened.holdings(member.name)) }
  })
  return found.filter(holdings => holdings !== undefined)
}

/** Runs `work` once for each member, even if two arguments mean the same one. */
async function each(
  targets: readonly Target[],
  work: (member: MemberRecord | undefined) => Promise<Outcome>,
): Promise<MemberOutcome[]> {
  const leaving = new Map<string, Promise<Outcome>>()
  const once = (member: MemberRecord | undefined): Promise<Outcome> => {
    const running = member && leaving.get(member.name)
    const outcome = running ?? work(member)
    if (member) leaving.set(member.name, outcome)
    return outcome
  }
  return mapLimit(targets, atOnce, async one => {
    const cluster = one.argument
    if ('error' in one) return { cluster, result: 'failed', error: one.error }
    const end = await resultOf(once(one.member))
    if (end.ok) return { cluster, ...end.value }
    if (end.error instanceof CoeError) return { cluster, result: 'failed', error: end.error }
    throw end.error
  })
}

async function planOne(unjoining: Unjoining, member: MemberRecord | undefined): Promise<Outcome> {
  if (!member) return { result: 'unchanged' }
  const { driver, op, resume, options, located, how } = unjoining
  const opened = driver.open(siteOf(located, op.signal))
  const plan = await opened.unjoin(await requestOf(unjoining, member), { resume, options })
  const view = await viewPlan(plan, op.signal)
  // with --force nothing on the member is touched, so its holdings do not matter
  if (how.force) return { result: 'planned', planned: plannedOf(view), notes: [{ kind: 'plan', view }] }
  const isDeleted = how.workloads === 'delete'
  const holdings = { member: member.name, ...(await opened.holdings(member.name)) }
  const targets = [...holdings.workloads, ...holdings.namespaces.map(name => `Namespace ${name}`)]
  const also = targets.map(target => ({
    action: isDeleted ? 'delete' : 'keep',
    target: `${target} on member "${member.name}"`,
  }))
  const notes: MemberNote[] = [
    { kind: 'plan', view },
    { kind: 'holdings', holdings, deleted: isDeleted },
  ]
  return { result: 'planned', planned: [...plannedOf(view), ...also], notes }
}

export async function unjoinOne(unjoining: Unjoining, member: MemberRecord | undefined, run: Run): Promise<Outcome> {
  if (!member) return { result: 'unchanged' }
  const { deps, driver, op, resume, options, located, how } = unjoining
  const { host, record } = located
  const { signal, runId } = run
  const request = await requestOf(unjoining, member)
  // the plan is made before the first write: if it cannot be made, nothing has changed
  const opened = unjoining.opened ?? driver.open(siteOf(located, signal))
  const plan = await opened.unjoin(request, { resume, options })
  run.changed()
  await writeMember(host, record, { ...member, state: 'leaving' }, runId, signal)
  const report = reportFor(op.report, member.name)
  await runPlan(plan, { op: { ...op, wait: true, report }, clock: deps.world.clock, resume, signal })
  if (request.member) await removeMarker(request.member, record, signal)
  await deleteMember(host, record, member.name, signal)
  if (!how.force) return { result: 'unjoined' }
  // a record keeps no context: prefer the reference on this machine, else the name in the federation
  const reference = unjoining.references(member).known[0] ?? (member.reference || member.name)
  return { result: 'unjoined', notes: await leftOnMember(deps, driver, { ...member, reference }) }
}

async function requestOf({ deps, references, located, how }: Unjoining, member: MemberRecord): Promise<UnjoinRequest> {
  const { record } = located
  const force = how.force ?? false
  const named = how.clusterContext ?? how.contexts?.[member.name]
  const access = force
    ? undefined
    : await (named === undefined
        ? openMember(deps, references(member), member, record.name)
        : openMemberBy(deps, member, named))
  return {
    name: member.name,
    workloads: how.workloads ?? 'keep',
    force,
    uid: member.uid,
    keepNamespaces: member.uid === record.host.uid,
    member: access?.api,
    access: access?.access,
  }
}
