/** Takes members out, side by side under one lock; what is told of a member is in its record, whatever its context is called now. */
import { mapLimit, resultOf } from '../../core/concurrency.ts'
import { CoeError, conflict, notFound } from '../../core/errors.ts'
import { allAdvice, type CoeStep, flagArg, optionArgs, type StepArg, standaloneStep } from '../../core/next-step.ts'
import { someOf } from '../../core/text.ts'
import type { FederationDriver, OpenFederation, Options, UnjoinRequest } from '../../drivers/driver-api.ts'
import type { FederationPlace, MemberHoldings, MemberOutcome, UnjoinOptions } from '../../model/backend.ts'
import type { LocalState, MemberReferences } from '../../model/local-state.ts'
import type { MemberNote } from '../../model/notes.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { viewPlan } from '../../plan/dry-run.ts'
import { runPlan } from '../../plan/engine.ts'
import type { Standalone } from '../deps.ts'
import { changing, type Run } from '../federations/change.ts'
import { aboutText, type HistoryEntry, wasUnjoined } from '../federations/history.ts'
import { leftBehind } from '../federations/left-behind.ts'
import { checkedOptions, driverArgs } from '../federations/settings.ts'
import { driverOf, placeArgs, plannedOf, siteOf } from '../federations/site.ts'
import { askUnjoin, unjoinDone } from '../records/intent.ts'
import type { Located } from '../records/on-host.ts'
import { findFederation } from '../references/find.ts'
import { enterCluster, type FoundCluster, findCluster } from '../references/references.ts'
import { reportFor } from './join.ts'
import { deleteMember, listMembers, type MemberRecord, removeMarker, writeMember } from './member-record.ts'

interface Parting {
  deps: Standalone
  /** By what each member is called here: read once for all of them. */
  references: Awaited<ReturnType<LocalState['clusters']['references']>>
  located: Located
  driver: FederationDriver
  op: ScopedOperation
  how: UnjoinOptions
  resume: CoeStep
  /** Of the driver. */
  options: Options
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
  const driver = made.federations
  const options = checkedOptions(made, 'federation unjoin', { options: how.driverOptions ?? {} })
  const { record, host } = located
  const args = [...clusters, ...unjoinArgs(how), ...driverArgs(made.name, options), ...placeArgs(place)]
  const resume = standaloneStep('resume', 'federation unjoin', record.name, ...args)
  const references = await deps.local.clusters.references()
  const parting: Parting = { deps, references, located, driver, op, how, resume, options }
  const members = await listMembers(host, record, deps.call.signal)
  const given = [...new Set(clusters)]
  const find = (list: readonly MemberRecord[], history: readonly HistoryEntry[]) =>
    mapLimit(given, atOnce, one => target({ deps, references }, one, list, history))
  const targets = await find(members, record.history)
  if (op.dryRun) return each(targets, member => planOne(parting, member))
  // a name that means nothing has changed nothing: no lock for it, and no mark on the federation
  const meant = targets.flatMap(one => ('error' in one ? [] : recordedName(one)))
  if (meant.length === 0) return each(targets, async () => ({ result: 'failed' }))
  /** Of an attempt that an outage of the host cut off. */
  const gone = new Map<string, Outcome>()
  const leaving = targets.flatMap(one => ('error' in one || !one.member ? [] : one.member.name))
  const asks = askUnjoin(
    leaving.map(name => ({ name, workloads: how.workloads ?? 'keep', force: how.force ?? false })),
    [...leaving, ...meant],
  )
  return changing(deps, located, { verb: 'unjoin', about: aboutText(meant), members: meant, asks }, op, async run => {
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
  })
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

/** One word of the line. No member: the cluster is in no need of leaving. */
type Target = { given: string; member: MemberRecord | undefined } | { given: string; error: CoeError }

async function target(
  here: Pick<Parting, 'deps' | 'references'>,
  given: string,
  members: readonly MemberRecord[],
  history: readonly HistoryEntry[],
): Promise<Target> {
  const found = await resultOf(memberOf(here, given, members, history))
  if (found.ok) return { given, member: found.value }
  if (found.error instanceof CoeError) return { given, error: found.error }
  throw found.error
}

/** What a record can keep: a context means nothing on another machine. */
const recordedName = ({ given, member }: Exclude<Target, { error: CoeError }>): string =>
  member === undefined || given === member.uid ? given : member.name

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

/** By its name in the federation first: that is fixed, and contexts are not. Undefined: a cluster that is no member. */
async function memberOf(
  { deps, references }: Pick<Parting, 'deps' | 'references'>,
  given: string,
  members: readonly MemberRecord[],
  history: readonly HistoryEntry[],
): Promise<MemberRecord | undefined> {
  const named = members.find(m => m.name === given) ?? members.find(m => m.uid === given)
  if (named) return named
  const found = await resultOf(findCluster(deps, given, 'member'))
  if (found.ok) return members.find(m => m.uid === found.value.uid)
  // it cannot be asked which one it is: what it was called when it joined must do
  const bare = given.replace(/^kube:/, '')
  const called = members.find(m => references(m).known.includes(bare) || references(m).guess === bare)
  if (called && found.error instanceof CoeError) return called
  const missing = found.error instanceof CoeError && found.error.outcome === 'notFound'
  if (!missing) throw found.error
  // it was one, by a name that only the federation knew, and a run before this one has taken it out
  if (wasUnjoined(history, given)) return undefined
  throw notFound(`there is neither a member nor a context "${given}"`, {
    hint: members.length ? `members: ${someOf(members.map(m => m.name))}` : 'the federation has no members',
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
  return { result: 'unjoined', notes: await leftBehind(deps, driver, { ...member, reference }) }
}

async function requestOf({ deps, references, located, how }: Parting, member: MemberRecord): Promise<UnjoinRequest> {
  const { record } = located
  const force = how.force ?? false
  const way = force
    ? undefined
    : await (how.clusterContext
        ? namedWay(deps, member, how.clusterContext)
        : wayTo(deps, references(member), member, record.name))
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

async function namedWay(deps: Standalone, member: MemberRecord, reference: string): Promise<FoundCluster> {
  const found = await findCluster(deps, reference, 'member')
  if (found.uid === member.uid) return found
  throw conflict(`"${reference}" leads to another cluster than member "${member.name}"`, {
    hint: `when it joined, its API was ${member.server}`,
  })
}

/** The user's own, where something here leads to the same cluster. */
async function wayTo(
  deps: Standalone,
  { known, guess }: MemberReferences,
  member: MemberRecord,
  federation: string,
): Promise<FoundCluster | undefined> {
  let silent: CoeError | undefined
  for (const reference of [...known, ...(guess === undefined ? [] : [guess])]) {
    const entered = await resultOf(enterCluster(deps, reference, 'member'))
    if (!entered.ok) continue
    const uid = await resultOf(entered.value.api.identity({ signal: deps.call.signal }))
    if (uid.ok && uid.value === member.uid) return { ...entered.value, uid: uid.value }
    if (uid.ok) continue
    if (!(uid.error instanceof CoeError)) throw uid.error
    // a context of the same name may be any cluster
    if (reference !== guess) silent ??= uid.error
  }
  if (silent) throw perhapsGone(silent, member, federation)
  return undefined
}

const perhapsGone = (error: CoeError, member: MemberRecord, federation: string): CoeError =>
  new CoeError(error.outcome, error.message, {
    cause: error,
    details: error.details,
    ...allAdvice(error, {
      next: [
        standaloneStep('if it is gone for good', 'federation unjoin', federation, member.name, ...flagArg('force')),
      ],
    }),
  })
