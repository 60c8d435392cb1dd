/** Makes a federation, or goes on with one, or mends one: namespace and record first, then the driver's plan, then the way in. */
import { mapLimit, settle, together } from '../../core/concurrency.ts'
import { answering } from '../../core/errors.ts'
import type { OpenFederation, Plan } from '../../drivers/driver-api.ts'
import type { InlineAccess } from '../../kube/access/connect.ts'
import type { FederationOutcome, FederationPlace, FederationRequest } from '../../model/backend.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import type { Right } from '../../model/rights.ts'
import { runPlan } from '../../plan/engine.ts'
import type { PlanResult } from '../../plan/step.ts'
import type { Standalone } from '../deps.ts'
import { refuseTakenContext } from '../local/context-entry.ts'
import { remember } from '../local/local-index.ts'
import { useLine, type WayIn, wayInto, writeWayIn } from '../local/way-in.ts'
import { takenMembers } from '../members/taken-members.ts'
import { ensureGround, refuseTakenGround } from '../records/ground.ts'
import { checkMemberName } from '../records/names.ts'
import { createRecord, type FederationRecord, letRecordBeSeen } from '../records/record.ts'
import { adoptedRights, lackingRights, namespaceRights, ownRights, withRights } from '../records/rights.ts'
import { findAccess } from '../references/references.ts'
import { changing, type Run } from './change.ts'
import { completedText } from './history.ts'
import { decide, decideOver, type Intent, sameSettings } from './intent.ts'
import { differing, intended, plannedCreation } from './planned.ts'
import { firstLook, heed, siteOf } from './site.ts'
import { federationOf } from './view.ts'

export async function createFederation(
  deps: Standalone,
  request: FederationRequest,
  place: FederationPlace,
  op: ScopedOperation,
): Promise<FederationOutcome> {
  const intent = await decide(deps, request, place)
  const { record, host, before, driver } = intent
  await mapLimit(request.joining ?? [], 8, async ({ cluster, name }) => {
    if (name !== undefined) checkMemberName(name, driver.federations, other => `"name: ${other}" in the file would do`)
    await findAccess(deps, cluster)
  })
  const way = await wayInto(deps, record, request.kubeconfigOut)
  await refuseTakenContext(deps, { record, access: () => accessNow(intent, op.signal) }, way.file)
  if (before?.state !== 'created' || !sameSettings(before.settings, record.settings)) {
    const found = await together([
      withRights(
        lackingRights(host.api, rightsFor(intent), `host "${host.reference}"`, op.signal),
        opened(intent, op.signal).preflight(planOptions(intent)),
      ),
      before?.state === 'created' ? [] : takenMembers(deps, request.joining ?? [], record.uuid),
    ])
    heed(found.flat(), `create federation "${record.name}"`, text => op.report.note(text))
  }
  // the plan is made before the first write: what it needs and cannot have is told while nothing stands yet
  const plan = await planFor(intent, op)
  if (op.dryRun) {
    if (!before) await refuseTakenGround(deps, intent)
    return plannedCreation(deps, { intent, way, plan, federation: opened(intent, op.signal), signal: op.signal })
  }
  return carryOut(deps, intent, way, plan, op)
}

/** Of a federation that has one by now; a creation that was not finished may. */
async function accessNow(intent: Intent, signal: AbortSignal): Promise<InlineAccess | undefined> {
  if (!intent.before) return undefined
  return opened(intent, signal).access().catch(answering('notFound', undefined))
}

/** Whoever makes something must be able to take it away again: what creation and deletion take. */
function rightsFor({ record, before, request, driver }: Intent): Right[] {
  const { namespace, settings } = record
  const ground = before ? [] : request.adopt ? adoptedRights(namespace) : namespaceRights
  return [...ground, ...ownRights(namespace, driver.federations.rights?.(namespace, settings))]
}

function opened({ driver, record, host, request }: Intent, signal: AbortSignal): OpenFederation {
  const site = siteOf({ record, reference: host.reference, host: host.api }, signal)
  return driver.federations.open({ ...site, owner: { ...site.owner, adopt: request.adopt ?? false } })
}

const planOptions = ({ again, passing }: Intent, note?: (text: string) => void) => ({
  again,
  options: passing,
  ...(note ? { note } : {}),
})

const planFor = (intent: Intent, { signal, report }: ScopedOperation): Promise<Plan> =>
  opened(intent, signal).create(planOptions(intent, text => report.note(text)))

async function carryOut(
  deps: Standalone,
  intent: Intent,
  way: WayIn,
  first: Plan,
  op: ScopedOperation,
): Promise<FederationOutcome> {
  const { host } = intent
  const { fresh, uuid } = await ensureGround(deps, intent)
  const record = intent.before ?? (await recordOf(deps, intent, uuid))
  const { name, namespace } = record
  await remember(deps, { name, uuid, host: host.reference, namespace })
  const located = { record, reference: host.reference, host: host.api }
  return changing(deps, located, { verb: 'create' }, op, async run => {
    // another run may have changed it while this one waited for its turn
    const now = await decideOver(deps, intent, run.record())
    const same =
      first.owner.labels[first.owner.key] === uuid && sameSettings(now.record.settings, intent.record.settings)
    const plan = same ? first : await planFor(now, op)
    const other = await saveIntent(run, now.record, way)
    const complete = { ...plan, fresh, exact: now.before?.state === 'created', force: intent.request.adopt ?? false }
    let entered: Way | undefined
    // a run that does not come to its end leaves the context all the same; if it cannot be written, the end reports it
    const enter = async () => {
      const written = await settle(wayWritten(deps, now, way, run))
      if (written.ok) entered = written.value
    }
    const result = await runPlan(complete, {
      op: run.op,
      clock: deps.world.clock,
      signal: run.signal,
      onChange: run.changed,
      entered: enter,
    })
    if (result.pending.length > 0) return accepted(now, run, result)
    const { access, written } = entered ?? (await wayWritten(deps, now, way, run))
    const changed = other || written || result.changed || run.resumed
    return finished(now, way, run, { server: access.server, changed })
  })
}

interface Way {
  access: InlineAccess
  /** It was not as it should be. */
  written: boolean
}

async function wayWritten(deps: Standalone, intent: Intent, way: WayIn, run: Run): Promise<Way> {
  const access = await opened(intent, run.signal).access({ answering: true })
  return { access, written: await writeWayIn(deps, run.record(), access, way) }
}

/** Of two creators one makes the record; the other's wishes are for what that one began, or are refused. */
async function recordOf(deps: Standalone, intent: Intent, uuid: string): Promise<FederationRecord> {
  const { record, made } = await createRecord(intent.host.api, { ...intent.record, uuid }, deps.signal)
  if (made) await letRecordBeSeen(intent.host.api, record, deps.signal)
  else await decideOver(deps, intent, record)
  return record
}

/** Whether the record says something else by now. */
async function saveIntent(run: Run, record: FederationRecord, way: WayIn): Promise<boolean> {
  const changes = intended(record, way)
  const differs = differing(run.record(), changes).length > 0
  if (differs) await run.save(changes)
  return differs
}

interface Ended {
  value: FederationOutcome
  unfinished?: string
}

async function finished(
  { driver, before, host }: Intent,
  way: WayIn,
  run: Run,
  { server, changed }: { server: string; changed: boolean },
): Promise<Ended> {
  if (run.record().state !== 'created') {
    // a run that was killed may not have come to it
    if (before) await letRecordBeSeen(host.api, run.record(), run.signal)
    await run.save({ state: 'created' })
  }
  const now = run.record()
  const kind = before?.state !== 'created' ? 'created' : changed ? 'updated' : 'unchanged'
  return {
    value: {
      result: kind,
      federation: {
        ...federationOf(now, [], false),
        status: 'CREATE_COMPLETE',
        status_reason: completedText('CREATE'),
      },
      told: [
        kind === 'unchanged'
          ? `Federation ${now.name} exists already (${now.uuid}): unchanged`
          : `Federation ${now.name} is ${kind} on host "${host.reference}": its API is ${server}`,
        useLine(now, way, firstLook(driver.federations, now)),
      ],
    },
  }
}

/** Applied as far as could be without waiting. Nothing here may sound like a success. */
function accepted({ again, host }: Intent, run: Run, { pending, notStarted }: PlanResult<object>): Ended {
  const now = run.record()
  const open = notStarted.length ? `; not begun: ${notStarted.join(', ')}` : ''
  return {
    unfinished: '--no-wait',
    value: {
      result: 'accepted',
      federation: federationOf(now, [], false),
      told: [
        `Federation ${now.name} is begun on host "${host.reference}" and not finished; what starts there without us: ${pending.join(', ')}${open}`,
        `Look at it with: coe --standalone federation status ${now.name}`,
        `The rest is done by: ${again}`,
      ],
    },
  }
}
