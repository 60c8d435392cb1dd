/** Deletes a federation: its members leave first (--unjoin), then what its driver made goes, then its contexts, and its record last. */
import { mapLimit, resultOf } from '../../core/concurrency.ts'
import { type CoeError, conflict } from '../../core/errors.ts'
import { type CoeStep, flagArg, type StepArg, standaloneStep } from '../../core/next-step.ts'
import { someOf } from '../../core/text.ts'
import type { OpenFederation } from '../../drivers/driver-api.ts'
import { isNamespaceEnding } from '../../kube/api/errors.ts'
import type { FederationDeletion, FederationOutcome, FederationPlace, UnjoinOptions } from '../../model/backend.ts'
import type { Federation } from '../../model/federation.ts'
import type { FederationNote } from '../../model/notes.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { viewPlan } from '../../plan/dry-run.ts'
import { runRemoval } from '../../plan/remove.ts'
import type { Standalone } from '../deps.ts'
import type { MemberRecord } from '../members/member-record.ts'
import { membersHere } from '../members/members-here.ts'
import { unjoinOne } from '../members/unjoin.ts'
import { askDeletion } from '../records/intent.ts'
import { defaultNamespace } from '../records/names.ts'
import type { Located } from '../records/on-host.ts'
import { createRecord } from '../records/record.ts'
import { lackingRights, ownRights } from '../records/rights.ts'
import { findFederation } from '../references/find.ts'
import { changing, type Run, type Work } from './change.ts'
import { isGoing, removeGround, seenGone } from './namespace-removal.ts'
import { checkedOptions, driverArgs, keptOptions } from './settings.ts'
import { driverOf, placeArgs, plannedOf, refuseErrors, siteOf } from './site.ts'
import { federationOf } from './view.ts'

/** `contexts` names its members on this machine, if the deletion was begun on another. */
type DeletionOptions = FederationDeletion & Pick<UnjoinOptions, 'contexts'>

export async function deleteFederation(
  deps: Standalone,
  ref: string,
  place: FederationPlace,
  op: ScopedOperation,
  how: DeletionOptions,
): Promise<FederationOutcome> {
  const { clock } = deps.world
  const until = clock.now() + op.waitTimeoutMs
  const located = await findFederation(deps, ref, place)
  const { record, host } = located
  // a namespace that is being deleted takes no lock, and all that is left is to wait
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
  refuseErrors(lacking, `delete federation "${record.name}"`, op.report.note)
  // a half-made federation gets a record, so that it can be locked and read like any other
  if (record.version === undefined) await createRecord(host, await completed(deps, located), deps.call.signal)
  const kept = keptOptions(made, own).options
  const asks = askDeletion({
    unjoin: how.unjoin ?? false,
    keepData: how.keepData ?? false,
    ...(Object.keys(kept).length ? { options: kept } : {}),
  })
  const deletion: Deletion = { deps, located, made, members, how, op, plans: options, federation }
  return changing(deps, located, { verb: 'delete', asks }, op, run => underLock(deletion, run)).catch(
    async (error: unknown) => {
      // another run reached the last step while this one waited for the lock
      if (!isNamespaceEnding(error)) throw error
      return { result: 'deleted', federation, ...(await seenGone(deps, located, op, until)) }
    },
  )
}

interface Deletion {
  deps: Standalone
  located: Located
  made: Awaited<ReturnType<typeof driverOf>>
  /** The members before the lock was taken. */
  members: readonly MemberRecord[]
  how: DeletionOptions
  op: ScopedOperation
  plans: Parameters<OpenFederation['remove']>[0]
  federation: Federation
}

async function underLock(deletion: Deletion, run: Run): Promise<Work<FederationOutcome>> {
  const { deps, located, made, how, op, plans, federation } = deletion
  const { signal } = run
  const opened = made.federations.open(siteOf(located, signal))
  await membersLeave(deletion, opened, run)
  const removal = {
    op: { ...run.op, wait: true },
    clock: run.clock,
    resume: plans.resume,
    signal,
    onChange: run.changed,
  }
  await runRemoval(await opened.remove(plans), removal)
  const notes: FederationNote[] = await deps.local.entries.remove(run.record())
  await removeGround(deps, located, how.keepData ?? false, run, op.waitTimeoutMs)
  await deps.local.federations.forget(located.record.uuid)
  if (how.keepData) notes.push(keptNote(located))
  return { value: { result: 'deleted', federation, notes } }
}

/** Takes the members out in parallel; the first failure is thrown only after all have been tried. */
async function membersLeave(deletion: Deletion, opened: OpenFederation, run: Run): Promise<void> {
  const { deps, located, made, members, how, plans } = deletion
  const { record, host } = located
  // the run that held the lock before may have joined clusters; this run may have taken some out
  const present = run.stale || run.resumed ? await membersHere(deps, host, record, run.signal) : members
  if (present.length > 0 && !how.unjoin) throw hasMembers(record.name, present)
  const references = await deps.local.clusters.references()
  const unjoining = {
    ...{ deps, references, located, driver: made.federations, op: run.op, resume: plans.resume, options: {}, opened },
    how: { contexts: how.contexts },
  }
  const ends = await mapLimit(present, 16, member => resultOf(unjoinOne(unjoining, member, run)))
  for (const end of ends) if (!end.ok) throw end.error
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
