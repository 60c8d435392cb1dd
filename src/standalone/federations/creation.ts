/** Decides what a creation makes, from the request and from what exists already. */

import { randomUUID } from 'node:crypto'
import { CoeError, conflict, usage } from '../../core/errors.ts'
import { type CoeStep, optionArgs, standaloneStep } from '../../core/next-step.ts'
import type { Driver, FederationDriver, Options } from '../../drivers/driver-api.ts'
import type { FederationPlace, FederationRequest } from '../../model/backend.ts'
import type { KubeconfigNote } from '../../model/local-state.ts'
import { sharedReference } from '../../model/member-request.ts'
import type { EngineDeps } from '../deps.ts'
import { askCreation, type CreationIntent, type Intent, kept, type MemberIntent } from '../records/intent.ts'
import { checkFederationName, checkNamespace, defaultNamespace, federationLabel } from '../records/names.ts'
import { listRecords } from '../records/on-host.ts'
import { type FederationRecord, readRecord } from '../records/record.ts'
import type { FoundCluster } from '../references/references.ts'
import { refuseEnding } from './ending.ts'
import { checkedSettings, driverArgs, keptOptions, sortedOptions } from './settings.ts'
import { placeArgs, siteOf } from './site.ts'

export type EngineDriver = Driver & { federations: FederationDriver }

/** The request and its place. */
export interface Asked {
  request: Omit<FederationRequest, 'host'>
  place: FederationPlace
  host: FoundCluster
  /** The name of its context on this machine. */
  contextName: string
  /** The files that have the context; the record lists them. */
  kubeconfigs: KubeconfigNote[]
}

export interface Creation extends Asked {
  driver: EngineDriver
  /** The record before this run. */
  before: FederationRecord | undefined
  /** The record as it should become. */
  wanted: FederationRecord
  /** Adds this request to the recorded intent, which is kept until it is done. */
  asks(intent: Intent): Intent
  /** Options that are not kept as settings. */
  transient: Options
  resume: CoeStep
}

/** Refuses invalid names before anything is read. */
export function checkNames({ name, contextName }: FederationRequest, { namespace }: FederationPlace): void {
  checkFederationName(name)
  if (namespace !== undefined) checkNamespace(namespace)
  if (contextName === '') throw usage('a context must have a name')
}

/** Finds the federation of that name on the host. */
export async function recordOn(
  host: Omit<FoundCluster, 'uid'>,
  name: string,
  place: FederationPlace,
  signal: AbortSignal,
): Promise<FederationRecord | undefined> {
  const here = await readRecord(host.api, place.namespace ?? defaultNamespace(name), signal)
  return here ?? elsewhere(host, name, place, signal)
}

/** A name is unique on a host: a second federation could not be told from the first, and would take over its context. */
async function elsewhere(
  host: Omit<FoundCluster, 'uid'>,
  name: string,
  place: FederationPlace,
  signal: AbortSignal,
): Promise<FederationRecord | undefined> {
  const [before, another] = await listRecords(host.api, { [federationLabel]: name }, undefined, signal).catch(
    unlessDenied,
  )
  if (!before || (place.namespace === undefined && !another)) return before
  throw conflict(`host "${host.reference}" has a federation "${name}" already, in namespace ${before.namespace}`, {
    hint: `to continue with it, add --namespace ${before.namespace}; to create another one, choose another name`,
  })
}

/** Users limited to one namespace create the federation in it. */
function unlessDenied(error: unknown): FederationRecord[] {
  if (error instanceof CoeError && error.outcome === 'denied') return []
  throw error
}

/** Called a second time if another run has made or changed the record meanwhile: the request then applies to that record. */
export async function decideCreation(
  deps: EngineDeps,
  asked: Asked,
  there: FederationRecord | undefined,
): Promise<Creation> {
  const { request, place, host, contextName } = asked
  if (there) refuseAnother(there, request)
  if (there) refuseEnding(there, host.reference)
  const before = there && { ...there, contextName, host: { ...there.host, reference: host.reference } }
  const driver = await deps.drivers.federations(
    before?.driver ?? request.engine?.driver ?? (await deps.drivers.defaultFederations()),
    before?.driverVersion,
  )
  const { kept, transient } = sortedOptions(driver, request)
  // settings that the request does not state keep their value
  const settings = checkedSettings(driver, request, { ...before?.settings, ...kept }, before?.settings)
  if (before) await refuseImmutable(deps, { driver, host }, before, settings)
  const wanted = wantedRecord(asked, driver, settings, before)
  // so does the namespace
  const resume = resumeStep(
    asked,
    before && before.namespace !== defaultNamespace(before.name) ? before.namespace : place.namespace,
    driver.name,
    transient,
  )
  return asking({ ...asked, driver, before, wanted, transient, resume, asks: intent => intent }, [])
}

/** @param joining clusters that join once the federation is created */
export function asking(creation: Creation, joining: readonly MemberIntent[]): Creation {
  const { before, wanted, driver, transient } = creation
  const asks = askCreation(intentOf(creation, wanted, keptOptions(driver, transient)), joining)
  return { ...creation, asks, wanted: before ? wanted : { ...wanted, intent: kept(asks({})) } }
}

const intentOf = (
  { request }: Asked,
  { settings, properties }: FederationRecord,
  options: Pick<CreationIntent, 'options' | 'notKept'>,
): CreationIntent => ({
  settings,
  properties,
  ...options,
  adopt: request.adopt ?? false,
  ...(request.contextName === undefined ? {} : { contextName: request.contextName }),
})

function wantedRecord(
  { request, place, host, contextName, kubeconfigs }: Asked,
  driver: EngineDriver,
  settings: Options,
  before: FederationRecord | undefined,
): FederationRecord {
  const { name, properties } = request
  return {
    name,
    uuid: before?.uuid ?? randomUUID(),
    namespace: before?.namespace ?? place.namespace ?? defaultNamespace(name),
    driver: driver.name,
    driverVersion: before?.driverVersion ?? driver.version,
    state: before?.state ?? 'creating',
    settings,
    properties: { ...before?.properties, ...properties },
    contextName,
    kubeconfigs,
    host: { reference: host.reference, uid: host.uid, shared: before?.host.shared ?? sharedReference(host.reference) },
    history: before?.history ?? [],
    intent: before?.intent,
    createdAt: before?.createdAt ?? '',
    updatedAt: before?.updatedAt ?? null,
    version: before?.version,
  }
}

function resumeStep(
  { request, host }: Asked,
  namespace: string | undefined,
  driver: string,
  transient: Options,
): CoeStep {
  return standaloneStep(
    'resume',
    'federation create',
    request.name,
    ...placeArgs({ host: host.reference, namespace }),
    ...driverArgs(driver, transient),
    ...(request.resumeArgs ?? []),
  )
}

function refuseAnother(before: FederationRecord, { name, engine }: Asked['request']): void {
  const { namespace } = before
  if (before.uuid === '') {
    throw conflict(`namespace ${namespace} has a ConfigMap coe-federation that coe did not make`, {
      hint: 'it is where a federation keeps its record: take another namespace with --namespace, or remove it',
    })
  }
  if (before.name !== name) {
    throw conflict(`namespace ${namespace} is that of federation "${before.name}"`, {
      hint: 'each federation has its own namespace: choose another with --namespace',
    })
  }
  if (engine?.driver && engine.driver !== before.driver) {
    throw conflict(`federation "${name}" was made by driver ${before.driver}, and stays with it`)
  }
}

async function refuseImmutable(
  deps: EngineDeps,
  { driver, host }: Pick<Creation, 'driver' | 'host'>,
  before: FederationRecord,
  settings: Options,
): Promise<void> {
  const { name } = before
  const changed = Object.entries(driver.federations.immutable(before.settings, settings))
  if (changed.length === 0) return
  const site = siteOf({ record: before, reference: host.reference, host: host.api }, deps.call.signal)
  const options = changed.map(([option]) => option)
  const open = (await driver.federations.open(site).changeable?.(options)) ?? []
  const reasons = changed.filter(([option]) => !open.includes(option))
  if (reasons.length === 0) return
  const list = reasons.map(([option, why]) => `--${option} (${why})`).join(', ')
  throw conflict(`federation "${name}" is there with other settings, which cannot be changed: ${list}`, {
    hint: 'leave these options out to keep the settings',
    next: [standaloneStep('see them all', 'federation show', name, ...optionArgs('format', 'yaml'))],
  })
}
