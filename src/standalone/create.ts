/** Makes a federation, or goes on with one, or mends one: namespace and record first, then the driver's plan, then the way in. */
import { randomUUID } from 'node:crypto'
import { conflict, usage } from '../core/errors.ts'
import type { Driver, FederationDriver, Options, Plan } from '../drivers/driver-api.ts'
import { alreadyExists } from '../kube/errors.ts'
import type { FederationOutcome, FederationPlace, FederationRequest } from '../model/backend.ts'
import type { Operation } from '../model/operation.ts'
import { planText, viewPlan } from '../plan/dry-run.ts'
import { runPlan } from '../plan/engine.ts'
import { changing } from './change.ts'
import { refuseTakenContext, writeContext } from './context-entry.ts'
import { remember } from './local-index.ts'
import { checkFederationName, defaultNamespace, federationLabel, labelsOf, namespaceRef, uuidLabel } from './names.ts'
import { createRecord, type FederationRecord, readRecord } from './record.ts'
import { type FoundCluster, findCluster } from './references.ts'
import type { Standalone } from './room.ts'
import { heed, plannedOf, siteOf } from './site.ts'
import { federationOf } from './view.ts'

type Engine = Driver & { federations: FederationDriver }

interface Wanted {
  request: FederationRequest
  host: FoundCluster
  driver: Engine
  record: FederationRecord
  passing: Options
  again: string
  /** As it was before this run. */
  before: FederationRecord | undefined
}

export async function createFederation(
  room: Standalone,
  request: FederationRequest,
  place: FederationPlace,
  op: Operation,
): Promise<FederationOutcome> {
  const wanted = await decide(room, request, place)
  const { record, host, before, driver } = wanted
  await refuseTakenContext(room, { name: record.name, contextName: record.contextName, hostUid: host.uid })
  if (before?.state !== 'created' || !sameSettings(before.settings, record.settings)) {
    const site = siteOf({ record, reference: host.reference, host: host.api }, op.signal)
    const findings = await driver.federations.preflight(site, { again: wanted.again, options: wanted.passing })
    heed(findings, `create federation "${record.name}"`, text => op.report.note(text))
  }
  // the plan is made before the first write: what it needs and cannot have is told while nothing stands yet
  const plan = await planFor(wanted, op.signal)
  return op.dryRun ? planned(wanted, plan, op) : carryOut(room, wanted, plan, op)
}

async function decide(room: Standalone, request: FederationRequest, place: FederationPlace): Promise<Wanted> {
  const { name, engine } = request
  checkFederationName(name)
  const host = await findCluster(room, request.host, 'host')
  const namespace = place.namespace ?? defaultNamespace(name)
  const before = await readRecord(host.api, namespace, room.signal)
  if (before && before.name !== name) throw conflict(`namespace ${namespace} is that of federation "${before.name}"`)
  if (before && engine?.driver && engine.driver !== before.driver) {
    throw conflict(`federation "${name}" was made by driver ${before.driver}, and stays with it`)
  }
  const driver = await room.drivers.federations(
    before?.driver ?? engine?.driver ?? (await room.drivers.defaultFederations()),
    before?.driverVersion,
  )
  const { kept, passing } = sorted(driver, engine?.options ?? {})
  // what is not said again stays as it was
  const settings = driver.federations.settings({ ...before?.settings, ...kept })
  if (before) refuseImmutable(driver, name, before, settings)
  const record: FederationRecord = {
    name,
    uuid: before?.uuid ?? randomUUID(),
    namespace,
    driver: driver.name,
    driverVersion: before?.driverVersion ?? driver.version,
    state: before?.state ?? 'creating',
    settings,
    properties: { ...before?.properties, ...request.properties },
    contextName: request.contextName ?? before?.contextName ?? name,
    host: { reference: host.reference, uid: host.uid },
    history: before?.history ?? [],
    createdAt: before?.createdAt ?? '',
    updatedAt: before?.updatedAt ?? null,
    version: before?.version,
  }
  const words = Object.entries(passing).map(([option, value]) => ` --${option} ${value}`)
  const elsewhere = place.namespace ? ` --namespace ${place.namespace}` : ''
  const again = `coe --standalone federation create ${name} --host ${host.reference}${elsewhere}${words.join('')}`
  return { request, host, driver, record, passing, again, before }
}

function sorted(driver: Engine, given: Options): { kept: Options; passing: Options } {
  const passing = new Set(driver.options.filter(o => o.passing).map(o => o.name))
  const known = new Set(driver.options.map(o => o.name))
  const entries = Object.entries(given)
  const unknown = entries.find(([name]) => !known.has(name))
  if (unknown) throw usage(`driver ${driver.name} has no option --${unknown[0]}`)
  return {
    kept: Object.fromEntries(entries.filter(([name]) => !passing.has(name))),
    passing: Object.fromEntries(entries.filter(([name]) => passing.has(name))),
  }
}

function refuseImmutable(driver: Engine, name: string, before: FederationRecord, settings: Options): void {
  const reasons = Object.entries(driver.federations.immutable(before.settings, settings))
  if (reasons.length === 0) return
  const list = reasons.map(([option, why]) => `--${option} (${why})`).join(', ')
  throw conflict(`federation "${name}" is there with other settings, which cannot be changed: ${list}`, {
    hint: `"coe --standalone federation show ${name}" tells them; leave these options out to keep them`,
  })
}

const sameSettings = (a: Options, b: Options): boolean => {
  const text = (o: Options) => JSON.stringify(Object.entries(o).sort(([x], [y]) => (x < y ? -1 : 1)))
  return text(a) === text(b)
}

function planFor({ record, host, driver, passing, again }: Wanted, signal: AbortSignal): Promise<Plan> {
  const site = siteOf({ record, reference: host.reference, host: host.api }, signal)
  return driver.federations.create(site, { again, options: passing })
}

async function planned({ record }: Wanted, plan: Plan, op: Operation): Promise<FederationOutcome> {
  const view = await viewPlan(plan, op.signal)
  const { uuid: _, ...federation } = federationOf(record, [], false)
  return { result: 'planned', federation, planned: plannedOf(view), told: [planText(view)] }
}

async function carryOut(room: Standalone, wanted: Wanted, first: Plan, op: Operation): Promise<FederationOutcome> {
  const { host, driver, before } = wanted
  const { api } = host
  const { fresh, uuid } = await ensureNamespace(room, wanted)
  const { record } = await createRecord(api, { ...wanted.record, uuid }, room.signal)
  const located = { record, reference: host.reference, host: api }
  await remember(room, { name: record.name, uuid, host: host.reference, namespace: record.namespace })
  return changing(room, located, { verb: 'create' }, op, async run => {
    const { settings, properties, contextName } = wanted.record
    const site = siteOf({ ...located, record: { ...run.record(), settings } }, run.lock.signal)
    // another run may have been first with the namespace, and then it is that one's federation
    const made =
      site.uuid === wanted.record.uuid ? first : await planFor({ ...wanted, record: run.record() }, op.signal)
    const plan = { ...made, fresh, exact: before?.state === 'created' }
    await run.save({ settings, properties, contextName, host: wanted.record.host })
    const result = await runPlan(plan, { op: { ...op, wait: true }, clock: room.world.clock, signal: run.lock.signal })
    const access = await driver.federations.access(site)
    const written = await writeContext(room, run.record(), access)
    await run.save({ state: 'created' })
    const now = run.record()
    const kind = before?.state !== 'created' ? 'created' : result.changed || written ? 'updated' : 'unchanged'
    return {
      value: {
        result: kind,
        federation: { ...federationOf(now, [], false), status: 'CREATE_COMPLETE', status_reason: null },
        told: [
          kind === 'unchanged'
            ? `Federation ${now.name} exists already (${now.uuid}): unchanged`
            : `Federation ${now.name} is ${kind} on host "${host.reference}": its API is ${access.server}`,
          `Use it with: kubectl --context ${now.contextName} get clusters`,
        ],
      },
    }
  })
}

/** By POST, so that of two creators one makes it; the other takes part in what the first one began. */
async function ensureNamespace(
  room: Standalone,
  { host: { api }, record }: Wanted,
): Promise<{ fresh: ReadonlySet<string>; uuid: string }> {
  const { name, namespace, uuid, version } = record
  if (version !== undefined) return { fresh: new Set(), uuid }
  const ref = namespaceRef(namespace)
  try {
    const { name: _, ...kind } = ref
    await api.create({ ...kind, metadata: { name: namespace, labels: labelsOf(name, uuid) } }, { signal: room.signal })
    return { fresh: new Set([`host/${namespace}`]), uuid }
  } catch (error) {
    if (!alreadyExists(error)) throw error
  }
  const live = await api.get(ref, { signal: room.signal })
  if (live?.metadata.deletionTimestamp) {
    throw conflict(`namespace ${namespace} on the host is being deleted`, {
      hint: 'wait until it is gone, then run this again',
    })
  }
  const labels = live?.metadata.labels ?? {}
  if (labels[federationLabel] === name && labels[uuidLabel]) return { fresh: new Set(), uuid: labels[uuidLabel] }
  throw conflict(`the host has a namespace ${namespace} already, and coe did not make it`, {
    hint: 'nothing was changed. Take another name, or another namespace with --namespace',
  })
}
