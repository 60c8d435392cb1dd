/** Creates, resumes or repairs a federation: namespace and record first, then the driver's plan. */
import { resultOf } from '../../core/concurrency.ts'
import { fallbackOn } from '../../core/errors.ts'
import type { Finding, OpenFederation, Plan } from '../../drivers/driver-api.ts'
import type { InlineAccess } from '../../kube/access/connect.ts'
import type { Report } from '../../model/call.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import type { Right } from '../../model/rights.ts'
import { runPlan } from '../../plan/engine.ts'
import type { PlanResult } from '../../plan/step.ts'
import type { EngineDeps } from '../deps.ts'
import { ensureGround } from '../records/ground.ts'
import { creationDone } from '../records/intent.ts'
import { createRecord, type FederationRecord, letRecordBeSeen } from '../records/record.ts'
import { adoptedRights, lackingRights, namespaceRights, ownRights, withRights } from '../records/rights.ts'
import { changing, type Work as Outcome, type Run } from './change.ts'
import { type Creation, decideCreation } from './creation.ts'
import { differing, recordChanges } from './record-changes.ts'
import { sameSettings } from './settings.ts'
import { siteOf } from './site.ts'

/** Called as the creation proceeds. */
export interface CreationEvents {
  /** Its record is written, so it can be found from now on. */
  recorded(record: FederationRecord): Promise<void>
  /** Its API answers. Resolves with whether its context had to be written or corrected. */
  entered(record: FederationRecord, access: InlineAccess): Promise<boolean>
}

export type Made =
  | { kind: 'created' | 'updated' | 'unchanged'; record: FederationRecord; server: string }
  | { kind: 'incomplete'; record: FederationRecord; pending: readonly string[]; notStarted: readonly string[] }

export function opened({ driver, wanted, host, request }: Creation, signal: AbortSignal): OpenFederation {
  const site = siteOf({ record: wanted, reference: host.reference, host: host.api }, signal)
  return driver.federations.open({ ...site, owner: { ...site.owner, adopt: request.adopt ?? false } })
}

const planOptions = ({ resume, transient }: Creation, note?: Report['note']) => ({
  resume,
  options: transient,
  ...(note ? { note } : {}),
})

export const creationPlan = (creation: Creation, { signal, report }: ScopedOperation): Promise<Plan> =>
  opened(creation, signal).create(planOptions(creation, report.note))

/** Findings that prevent the creation; none if the federation exists with the wanted settings. */
export async function creationFindings(creation: Creation, signal: AbortSignal): Promise<Finding[]> {
  const { before, wanted, host } = creation
  if (before?.state === 'created' && sameSettings(before.settings, wanted.settings)) return []
  return withRights(
    lackingRights(host.api, rightsFor(creation), `host "${host.reference}"`, signal),
    opened(creation, signal).preflight(planOptions(creation)),
  )
}

/** The rights for creation and deletion together: whatever a user creates, that user must be able to delete. */
function rightsFor({ wanted, before, request, driver }: Creation): Right[] {
  const { namespace, settings } = wanted
  const ground = before ? [] : request.adopt ? adoptedRights(namespace) : namespaceRights
  return [...ground, ...ownRights(namespace, driver.federations.rights?.(namespace, settings))]
}

/** Access to its API, if it has one; an unfinished creation may have one already. */
export async function accessNow(creation: Creation, signal: AbortSignal): Promise<InlineAccess | undefined> {
  if (!creation.before) return undefined
  return opened(creation, signal).access().catch(fallbackOn('notFound', undefined))
}

/** @param first the plan, made before the first write so that whatever it lacks is reported while nothing exists yet */
export async function makeFederation(
  deps: EngineDeps,
  creation: Creation,
  first: Plan,
  events: CreationEvents,
  op: ScopedOperation,
): Promise<Made> {
  const { host, before, wanted } = creation
  const { fresh, uuid } = await ensureGround(deps, creation)
  const stored = before ?? (await firstRecord(deps, creation, uuid))
  await events.recorded(stored)
  const located = { record: stored, reference: host.reference, host: host.api }
  return changing(deps, located, { verb: 'create', asks: creation.asks }, op, async run => {
    // another run may have changed it while this one waited for the lock
    const now = await decideCreation(deps, creation, run.record())
    const same = first.owner.labels[first.owner.key] === uuid && sameSettings(now.wanted.settings, wanted.settings)
    const plan = same ? first : await creationPlan(now, op)
    return work({ creation: now, plan: { ...plan, newNamespaces: fresh }, events, run })
  })
}

type Ended = Outcome<Made>

interface Work {
  creation: Creation
  plan: Plan
  events: CreationEvents
  run: Run
}

async function work(made: Work): Promise<Ended> {
  const { creation, plan, run } = made
  const differs = await saveWanted(run, creation.wanted)
  let entrance: Entrance | undefined
  // the context is written even if the run fails later; if it cannot be written, the end of the run reports that
  const entered = async () => {
    const end = await resultOf(enter(made))
    if (end.ok) entrance = end.value
  }
  const complete = {
    ...plan,
    exact: creation.before?.state === 'created',
    force: creation.request.adopt ?? false,
  }
  const result = await runPlan(complete, {
    op: run.op,
    clock: run.clock,
    resume: creation.resume,
    signal: run.signal,
    onChange: run.changed,
    onEntry: entered,
  })
  if (result.pending.length > 0) return begun(run, result)
  const { access, changed } = entrance ?? (await enter(made))
  return finished(creation, run, access.server, differs || changed || result.changed || run.resumed)
}

interface Entrance {
  access: InlineAccess
  /** The context had to be written or corrected. */
  changed: boolean
}

async function enter({ creation, events, run }: Work): Promise<Entrance> {
  const access = await opened(creation, run.signal).access({ answering: true })
  return { access, changed: await events.entered(run.record(), access) }
}

/** If two runs create it at once, one makes the record; the other's request then applies to that record, or is refused. */
async function firstRecord(deps: EngineDeps, creation: Creation, uuid: string): Promise<FederationRecord> {
  const { api } = creation.host
  const { record, made } = await createRecord(api, { ...creation.wanted, uuid }, deps.call.signal)
  if (made) await letRecordBeSeen(api, record, deps.call.signal)
  else await decideCreation(deps, creation, record)
  return record
}

/** Resolves with whether the record had to be changed. */
async function saveWanted(run: Run, wanted: FederationRecord): Promise<boolean> {
  const differs = differing(run.record(), wanted).length > 0
  if (differs) await run.save(recordChanges(wanted))
  return differs
}

async function finished({ before, host }: Creation, run: Run, server: string, changed: boolean): Promise<Ended> {
  if (run.record().state !== 'created') {
    // a run that was killed may not have done this
    if (before) await letRecordBeSeen(host.api, run.record(), run.signal)
    await run.save({ state: 'created' })
  }
  const kind = before?.state !== 'created' ? 'created' : changed ? 'updated' : 'unchanged'
  return { value: { kind, record: run.record(), server }, left: creationDone }
}

/** Everything that needs no waiting is applied. */
const begun = (run: Run, { pending, notStarted }: PlanResult<object>): Ended => ({
  unfinished: '--no-wait',
  value: { kind: 'incomplete', record: run.record(), pending, notStarted },
})
