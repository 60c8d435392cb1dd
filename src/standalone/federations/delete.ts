/** Takes a federation apart: members first if that was said, then what its driver made, then the ways to it, and its record last. */
import { mapLimit, resultOf } from '../../core/concurrency.ts'
import { type CoeError, conflict, failed } from '../../core/errors.ts'
import { type CoeStep, flagArg, kubectlStep, optionArgs, type StepArg, standaloneStep } from '../../core/next-step.ts'
import { someOf } from '../../core/text.ts'
import { isNamespaceEnding } from '../../kube/api/errors.ts'
import { marksRoleName, revokeMarksAccess } from '../../kube/ownership/marks-access.ts'
import { waitGone } from '../../kube/waiting/wait.ts'
import type { FederationDeletion, FederationOutcome, FederationPlace } from '../../model/backend.ts'
import type { FederationNote } from '../../model/notes.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { viewPlan } from '../../plan/dry-run.ts'
import { runRemoval } from '../../plan/remove.ts'
import type { Standalone } from '../deps.ts'
import type { MemberRecord } from '../members/member-record.ts'
import { membersHere } from '../members/members-here.ts'
import { unjoinOne } from '../members/unjoin.ts'
import { giveBack, noteAsked, wasAdopted } from '../records/ground.ts'
import { askDeletion } from '../records/intent.ts'
import { defaultNamespace, namespaceRef, uuidLabel } from '../records/names.ts'
import type { Located } from '../records/on-host.ts'
import { createRecord, recordRef } from '../records/record.ts'
import { lackingRights, ownRights } from '../records/rights.ts'
import { findFederation } from '../references/find.ts'
import { changing, type Run } from './change.ts'
import { checkedOptions, driverArgs, keptOptions } from './settings.ts'
import { driverOf, heed, placeArgs, plannedOf, siteOf } from './site.ts'
import { federationOf } from './view.ts'

/** Side by side; all of them have their turn before the first that could not leave ends it. */
async function leaving<T>(members: readonly T[], unjoin: (member: T) => Promise<unknown>): Promise<void> {
  const ends = await mapLimit(members, 16, member => resultOf(unjoin(member)))
  for (const end of ends) if (!end.ok) throw end.error
}

export async function deleteFederation(
  deps: Standalone,
  ref: string,
  place: FederationPlace,
  op: ScopedOperation,
  how: FederationDeletion,
): Promise<FederationOutcome> {
  const { clock } = deps.world
  const until = clock.now() + op.waitTimeoutMs
  const located = await findFederation(deps, ref, place)
  const { record, host } = located
  // nothing can be locked in a namespace that goes, and nothing is left to do but to wait
  if (record.ending || (await isGoing(located, op.signal))) {
    const federation = federationOf(record, [], false)
    const target = `Namespace ${record.namespace} (it is being deleted already)`
    if (op.dryRun) return { result: 'planned', federation, planned: [{ action: 'wait', target }] }
    return { result: 'deleted', federation, ...(await seenGone(deps, located, op, until)) }
  }
  const members = await membersHere(deps, host, record, deps.call.signal)
  if (members.length > 0 && !how.unjoin) throw hasMembers(record.name, members)
  const federation = federationOf(record, members, false)
  const made = await driverOf(deps, located)
  const driver = made.federations
  const own = checkedOptions(made, 'federation delete', { options: how.driverOptions ?? {} })
  const resume = resumeStep(located, how, driverArgs(made.name, own))
  const options = { resume, options: own, keepData: how.keepData ?? false }
  if (op.dryRun) {
    const view = await viewPlan(await driver.open(siteOf(located, op.signal)).remove(options), op.signal)
    return { result: 'planned', federation, planned: plannedOf(view), notes: [{ kind: 'plan', view }] }
  }
  const engine = driver.rights?.(record.namespace, record.settings)
  const within = ownRights(record.namespace, engine).filter(right => right.namespace !== undefined)
  const lacking = await lackingRights(host, within, `host "${located.reference}"`, op.signal)
  heed(lacking, `delete federation "${record.name}"`, op.report.note)
  // half-made: a record, so that it can be locked and looked at like any other
  if (record.version === undefined) await createRecord(host, await completed(deps, located), deps.call.signal)
  const kept = keptOptions(made, own).options
  const asks = askDeletion({
    unjoin: how.unjoin ?? false,
    keepData: how.keepData ?? false,
    ...(Object.keys(kept).length ? { options: kept } : {}),
  })
  return changing(deps, located, { verb: 'delete', asks }, op, async run => {
    const { signal } = run
    const opened = driver.open(siteOf(located, signal))
    // whoever had the lock before may have let clusters join; this run may have let some leave
    const present = run.stale || run.resumed ? await membersHere(deps, host, record, signal) : members
    if (present.length > 0 && !how.unjoin) throw hasMembers(record.name, present)
    const references = await deps.local.clusters.references()
    const unjoining = { deps, references, located, driver, op: run.op, how: {}, resume, options: {}, opened }
    await leaving(present, member => unjoinOne(unjoining, member, run))
    const plan = await opened.remove(options)
    const removal = { op: { ...run.op, wait: true }, clock: deps.world.clock, resume, signal, onChange: run.changed }
    await runRemoval(plan, removal)
    const notes: FederationNote[] = await deps.local.entries.remove(run.record())
    await removeGround(deps, located, how.keepData ?? false, run, op.waitTimeoutMs)
    await deps.local.federations.forget(record.uuid)
    if (how.keepData) notes.push(keptNote(located))
    return { value: { result: 'deleted' as const, federation, notes } }
  }).catch(async (error: unknown) => {
    // while this one waited for its turn, another has come as far as the last step
    if (!isNamespaceEnding(error)) throw error
    return { result: 'deleted', federation, ...(await seenGone(deps, located, op, until)) }
  })
}

function hasMembers(federation: string, members: readonly MemberRecord[]): CoeError {
  const names = members.map(m => m.name)
  const some = someOf(names)
  const listed = some === names.join(', ') ? names : ['CLUSTER...']
  return conflict(`federation "${federation}" has members: ${some}`, {
    hint: 'delete it with --unjoin, or take them out first',
    next: [standaloneStep('take them out', 'federation unjoin', federation, ...listed)],
  })
}

const resumeStep = ({ record, reference }: Located, how: FederationDeletion, options: readonly StepArg[]): CoeStep =>
  standaloneStep(
    'resume',
    'federation delete',
    record.name,
    ...placeArgs({ host: reference }),
    ...flagArg('yes'),
    ...flagArg('unjoin', how.unjoin),
    ...flagArg('keep-data', how.keepData),
    ...options,
  )

function keptNote({ record: { name, namespace }, reference }: Located): FederationNote {
  const place = placeArgs({ host: reference, namespace: namespace === defaultNamespace(name) ? undefined : namespace })
  return {
    kind: 'data-kept',
    host: reference,
    namespace,
    next: [standaloneStep('To delete them, too', 'federation delete', name, ...place, ...flagArg('yes'))],
  }
}

async function completed(deps: Standalone, { record, reference, host }: Located) {
  const driver = await deps.drivers.federations(record.driver || (await deps.drivers.defaultFederations()))
  return {
    ...record,
    driver: driver.name,
    driverVersion: driver.version,
    host: { reference, uid: await host.identity({ signal: deps.call.signal }) },
  }
}

/** Namespace and record; with data to be kept, the namespace stays and says whose it was. */
async function removeGround(
  deps: Standalone,
  located: Located,
  keepData: boolean,
  run: Run,
  saidMs: number,
): Promise<void> {
  const { record, host } = located
  const { signal } = run
  const { namespace, name, uuid } = record
  if (keepData) {
    // the record goes last: while it is there, a deletion that was killed can be run again
    await revokeMarksAccess(host, marksRoleName(namespace), signal)
    await noteAsked(host, { ...run.record(), intent: undefined }, signal)
    run.recordIsGone()
    await host.delete(recordRef(namespace), { signal })
    return
  }
  run.recordIsGone()
  const ref = namespaceRef(namespace)
  const live = await host.get(ref, { signal })
  if (!live) return
  if (live.metadata.labels?.[uuidLabel] !== uuid) {
    throw failed(`namespace ${namespace} is not marked as that of federation "${name}" any more, and stays`, {
      next: [kubectlStep('inspect', 'get all', optionArgs('n', namespace))],
    })
  }
  if (wasAdopted(live)) {
    // the record goes first: a namespace with our mark and no record is found again, and says that it is to be deleted
    await noteAsked(host, run.record(), signal)
    await host.delete(recordRef(namespace), { signal })
    await giveBack(host, namespace, uuid, signal)
    return
  }
  await revokeMarksAccess(host, marksRoleName(namespace), signal)
  run.lockGoesWithNamespace()
  await host.delete(ref, { signal, uid: live.metadata.uid })
  await untilGone(deps, located, run.op, signal, saidMs)
}

/** A run before this one came as far as its last step. */
async function isGoing({ host, record }: Located, signal: AbortSignal): Promise<boolean> {
  const live = await host.get(namespaceRef(record.namespace), { signal })
  return live?.metadata.deletionTimestamp !== undefined
}

async function seenGone(
  deps: Standalone,
  located: Located,
  op: ScopedOperation,
  until: number,
): Promise<{ notes: FederationNote[] }> {
  const { record } = located
  const notes = await deps.local.entries.remove(record)
  const left = { ...op, waitTimeoutMs: Math.max(0, until - deps.world.clock.now()) }
  await untilGone(deps, located, left, op.signal, op.waitTimeoutMs)
  await deps.local.federations.forget(record.uuid)
  return { notes }
}

/** Longer than a namespace takes that nobody holds. */
const longestMs = 180_000

async function untilGone(
  deps: Standalone,
  { host, record }: Located,
  op: ScopedOperation,
  signal: AbortSignal,
  saidMs: number,
): Promise<void> {
  const { namespace } = record
  op.report.step('namespace', `namespace ${namespace} and the record in it`)
  const tell = (text: string) => op.report.step('namespace', text)
  const timeoutMs = Math.min(longestMs, op.waitTimeoutMs)
  const wait = { clock: deps.world.clock, signal, tell, timeoutMs, userLimitMs: Math.min(longestMs, saidMs) }
  await waitGone(host, namespaceRef(namespace), wait)
  op.report.done('namespace')
}
