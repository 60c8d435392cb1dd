/** Takes members out, side by side under one lock; what is told of a member is in its record, whatever its context is called now. */
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
import { reached, reachedBy } from './reach.ts'
import { memberOf, type References, recordedName, type Target, target } from './unjoin-targets.ts'

interface Parting {
  deps: Standalone
  /** By what each member is called here: read once for all of them. */
  references: References
  located: Located
  driver: FederationDriver
  op: ScopedOperation
  how: UnjoinOptions
  resume: CoeStep
  /** Of the driver. */
  options: Options
  /** Of those options, what the record keeps until the unjoin is done. */
  kept?: Options
  /** Of this run, for all who leave in it: its API is entered once. */
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
  const made = await driverOf(deps, located)
  const options = checkedOptions(made, 'federation unjoin', { options: how.driverOptions ?? {} })
  const { record } = located
  const args = [...clusters, ...unjoinArgs(how), ...driverArgs(made.name, options), ...placeArgs(place)]
  const resume = standaloneStep('resume', 'federation unjoin', record.name, ...args)
  const references = await deps.local.clusters.references()
  const given = [...new Set(clusters)]
  const parting = {
    ...{ deps, references, located, driver: made.federations, op, how, resume, options },
    kept: keptOptions(made, options).options,
  }
  return unjoinAll(parting, (members, history) =>
    mapLimit(given, atOnce, one => target({ deps, references }, one, members, history)),
  )
}

/** Goes on with unjoins that anybody began: by names in the federation, which mean the same on every machine. */
export async function finishUnjoins(
  deps: Standalone,
  located: Located,
  names: readonly string[],
  op: ScopedOperation,
  { resume, ...how }: UnjoinOptions & { resume: CoeStep },
): Promise<MemberOutcome[]> {
  const made = await driverOf(deps, located)
  const options = checkedOptions(made, 'federation unjoin', { options: how.driverOptions ?? {} })
  const references = await deps.local.clusters.references()
  const parting = {
    ...{ deps, references, located, driver: made.federations, op, how, resume, options },
    kept: keptOptions(made, options).options,
  }
  return unjoinAll(parting, async members =>
    names.map(given => ({ given, member: members.find(m => m.name === given) })),
  )
}

type FindTargets = (members: readonly MemberRecord[], history: readonly HistoryEntry[]) => Promise<Target[]>

async function unjoinAll(parting: Parting, find: FindTargets): Promise<MemberOutcome[]> {
  const { deps, located, op, how, kept = {} } = parting
  const { host, record } = located
  const targets = await find(await listMembers(host, record, op.signal), record.history)
  if (op.dryRun) return each(targets, member => planOne(parting, member))
  // a name that means nothing has changed nothing: no lock for it, and no mark on the federation
  const meant = targets.flatMap(one => ('error' in one ? [] : recordedName(one)))
  if (meant.length === 0) return each(targets, async () => ({ result: 'failed' }))
  const leaving = targets.flatMap(one => ('error' in one || !one.member ? [] : one.member.name))
  const intents = leaving.map(name => ({
    name,
    workloads: how.workloads ?? 'keep',
    force: how.force ?? false,
    ...(Object.keys(kept).length ? { options: kept } : {}),
  }))
  const change = {
    verb: 'unjoin' as const,
    about: aboutText(meant),
    members: meant,
    asks: askUnjoin(intents, [...leaving, ...meant]),
  }
  const attempt = { targets, find, gone: new Map<string, Outcome>() }
  return changing(deps, located, change, op, run => unjoinUnderLock(parting, run, attempt))
}

interface Attempt {
  targets: readonly Target[]
  find: FindTargets
  /** Members that left before an outage of the host cut the attempt off. */
  gone: Map<string, Outcome>
}

async function unjoinUnderLock(
  parting: Parting,
  run: Run,
  { targets, find, gone }: Attempt,
): Promise<Work<MemberOutcome[]>> {
  const { located, driver } = parting
  const { host, record } = located
  const { signal, runId } = run
  const here = { ...parting, op: run.op, opened: driver.open(siteOf(located, signal)) }
  const before = run.record().history.filter(entry => entry.run !== runId)
  // whoever had the lock before may have let clusters join, or taken these out
  const now = run.stale ? await find(await listMembers(host, record, signal), before) : targets
  const value = await each(now, async member => {
    const end = (member && gone.get(member.name)) ?? (await unjoinOne(here, member, run))
    if (member) gone.set(member.name, end)
    return end
  })
  signal.throwIfAborted()
  const cutOff = value.find(v => run.isCutOff(v.error))?.error
  const unmeant = new Set<unknown>(now.flatMap(one => ('error' in one ? [one.error] : [])))
  const problem = value.find(v => v.error && !unmeant.has(v.error))?.error?.message
  const done = now.filter(one => value.some(v => v.cluster === one.given && v.result !== 'failed'))
  const names = done.flatMap(one => ('error' in one ? [] : [one.given, ...(one.member ? [one.member.name] : [])]))
  return { value, cutOff, problem, left: unjoinDone(names) }
}

/** Repeated in the next step: without them, workloads would stay that were to go. */
const unjoinArgs = ({ workloads, force, clusterContext }: UnjoinOptions): StepArg[] => [
  ...optionArgs('workloads', workloads),
  ...optionArgs('cluster-context', clusterContext),
  ...flagArg('force', force),
  ...flagArg('yes', force || workloads === 'delete'),
]

/** Names alone, and of those that are members. */
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
  const found = await mapLimit([...new Set(clusters)], atOnce, async given => {
    const member = await memberOf({ deps, references }, given, members, located.record.history)
    return member && { member: member.name, ...(await opened.holdings(member.name)) }
  })
  return found.filter(holdings => holdings !== undefined)
}

/** Two words may mean one member, which leaves once. */
async function each(
  targets: readonly Target[],
  work: (member: MemberRecord | undefined) => Promise<Outcome>,
): Promise<MemberOutcome[]> {
  const leaving = new Map<string, Promise<Outcome>>()
  const once = (member: MemberRecord | undefined): Promise<Outcome> => {
    const begun = member && leaving.get(member.name)
    const outcome = begun ?? work(member)
    if (member) leaving.set(member.name, outcome)
    return outcome
  }
  return mapLimit(targets, atOnce, async one => {
    const cluster = one.given
    if ('error' in one) return { cluster, result: 'failed', error: one.error }
    const end = await resultOf(once(one.member))
    if (end.ok) return { cluster, ...end.value }
    if (end.error instanceof CoeError) return { cluster, result: 'failed', error: end.error }
    throw end.error
  })
}

async function planOne(parting: Parting, member: MemberRecord | undefined): Promise<Outcome> {
  if (!member) return { result: 'unchanged' }
  const { driver, op, resume, options, located, how } = parting
  const opened = driver.open(siteOf(located, op.signal))
  const plan = await opened.unjoin(await requestOf(parting, member), { resume, options })
  const view = await viewPlan(plan, op.signal)
  // what does not answer keeps what it has, and nobody need look at that
  if (how.force) return { result: 'planned', planned: plannedOf(view), notes: [{ kind: 'plan', view }] }
  const goes = how.workloads === 'delete'
  const holdings = { member: member.name, ...(await opened.holdings(member.name)) }
  const targets = [...holdings.workloads, ...holdings.namespaces.map(name => `Namespace ${name}`)]
  const also = targets.map(target => ({
    action: goes ? 'delete' : 'keep',
    target: `${target} on member "${member.name}"`,
  }))
  const notes: MemberNote[] = [
    { kind: 'plan', view },
    { kind: 'holdings', holdings, deleted: goes },
  ]
  return { result: 'planned', planned: [...plannedOf(view), ...also], notes }
}

export async function unjoinOne(parting: Parting, member: MemberRecord | undefined, run: Run): Promise<Outcome> {
  if (!member) return { result: 'unchanged' }
  const { deps, driver, op, resume, options, located, how } = parting
  const { host, record } = located
  const { signal, runId } = run
  const request = await requestOf(parting, member)
  // the plan is made before the first write: what stands in its way has changed nothing
  const opened = parting.opened ?? driver.open(siteOf(located, signal))
  const plan = await opened.unjoin(request, { resume, options })
  run.changed()
  await writeMember(host, record, { ...member, state: 'leaving' }, runId, signal)
  const report = reportFor(op.report, member.name)
  await runPlan(plan, { op: { ...op, wait: true, report }, clock: deps.world.clock, resume, signal })
  if (request.member) await removeMarker(request.member, record, signal)
  await deleteMember(host, record, member.name, signal)
  if (!how.force) return { result: 'unjoined' }
  // records have no names of contexts: what it is called here, or else what it was called in the federation
  const reference = parting.references(member).known[0] ?? (member.reference || member.name)
  return { result: 'unjoined', notes: await leftOnMember(deps, driver, { ...member, reference }) }
}

async function requestOf({ deps, references, located, how }: Parting, member: MemberRecord): Promise<UnjoinRequest> {
  const { record } = located
  const force = how.force ?? false
  const named = how.clusterContext ?? how.contexts?.[member.name]
  const way = force
    ? undefined
    : await (named === undefined
        ? reached(deps, references(member), member, record.name)
        : reachedBy(deps, member, named))
  return {
    name: member.name,
    workloads: how.workloads ?? 'keep',
    force,
    uid: member.uid,
    keepNamespaces: member.uid === record.host.uid,
    member: way?.api,
    access: way?.access,
  }
}
