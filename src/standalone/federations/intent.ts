/** What a creation is to make: as it was asked for, over what stands there already. */

import { randomUUID } from 'node:crypto'
import { userPath } from '../../config/paths.ts'
import { together } from '../../core/concurrency.ts'
import { CoeError, conflict, usage } from '../../core/errors.ts'
import { shellWord } from '../../core/shell-word.ts'
import type { Driver, FederationDriver, Options } from '../../drivers/driver-api.ts'
import type { FederationPlace, FederationRequest } from '../../model/backend.ts'
import { fits } from '../../model/driver-option.ts'
import type { Standalone } from '../deps.ts'
import { recordHere } from '../local-context.ts'
import {
  checkFederationName,
  checkNamespace,
  defaultNamespace,
  federationLabel,
  sharedReference,
} from '../records/names.ts'
import { type FederationRecord, readRecord } from '../records/record.ts'
import { listRecords } from '../references/find.ts'
import { enterCluster, type FoundCluster } from '../references/references.ts'
import { refuseEnding } from './ending.ts'
import { siteOf } from './site.ts'

export type Engine = Driver & { federations: FederationDriver }

/** What was asked for, and where. */
interface Asked {
  request: FederationRequest
  place: FederationPlace
  host: FoundCluster
}

export interface Intent extends Asked {
  driver: Engine
  record: FederationRecord
  passing: Options
  again: string
  /** As it was before this run. */
  before: FederationRecord | undefined
}

export async function decide(deps: Standalone, request: FederationRequest, place: FederationPlace): Promise<Intent> {
  checkFederationName(request.name)
  if (place.namespace !== undefined) checkNamespace(place.namespace)
  if (request.contextName === '') throw usage('a context must have a name')
  const entered = await enterCluster(deps, request.host, 'host')
  const { signal } = deps
  const namespace = place.namespace ?? defaultNamespace(request.name)
  const [uid, here] = await together([entered.api.identity({ signal }), readRecord(entered.api, namespace, signal)])
  const host = { ...entered, uid }
  if (here) return decideOver(deps, { request, place, host }, here)
  const before = await elsewhere(host, request.name, place, signal)
  // what is not said again stays as it was: the namespace, too
  return decideOver(deps, { request, place: before ? { ...place, namespace: before.namespace } : place, host }, before)
}

/** A name is had once on a host: a second federation of it would be asked for by the same word, and take the context over. */
async function elsewhere(
  host: FoundCluster,
  name: string,
  place: FederationPlace,
  signal: AbortSignal,
): Promise<FederationRecord | undefined> {
  const [before, another] = await listRecords(host.api, { [federationLabel]: name }, undefined, signal).catch(
    unlessDenied,
  )
  if (!before || (place.namespace === undefined && !another)) return before
  throw conflict(`host "${host.reference}" has a federation "${name}" already, in namespace ${before.namespace}`, {
    hint: `go on with that one with --namespace ${before.namespace}, or give this one another name`,
  })
}

/** Who may look into one namespace alone makes his federation there. */
function unlessDenied(error: unknown): FederationRecord[] {
  if (error instanceof CoeError && error.outcome === 'denied') return []
  throw error
}

/** Asked again where another run has made or changed the record meanwhile: what is wished then is wished of that one. */
export async function decideOver(
  deps: Standalone,
  { request, place, host }: Asked,
  there: FederationRecord | undefined,
): Promise<Intent> {
  const { name, engine } = request
  if (there) refuseAnother(there, request)
  if (there) refuseEnding(there, host.reference)
  const before = there && (await asHere(deps, there, host, request))
  const driver = await deps.drivers.federations(
    before?.driver ?? engine?.driver ?? (await deps.drivers.defaultFederations()),
    before?.driverVersion,
  )
  const { kept, passing } = sorted(driver, request)
  // what is not said again stays as it was
  const settings = checked(driver, request, { ...before?.settings, ...kept }, before?.settings)
  if (before) await refuseImmutable(deps, { driver, host }, before, settings)
  const record: FederationRecord = {
    name,
    uuid: before?.uuid ?? randomUUID(),
    namespace: place.namespace ?? defaultNamespace(name),
    driver: driver.name,
    driverVersion: before?.driverVersion ?? driver.version,
    state: before?.state ?? 'creating',
    settings,
    properties: { ...before?.properties, ...request.properties },
    contextName: request.contextName ?? before?.contextName ?? name,
    kubeconfigs: before?.kubeconfigs ?? [],
    host: { reference: host.reference, uid: host.uid, shared: before?.host.shared ?? sharedReference(host.reference) },
    history: before?.history ?? [],
    createdAt: before?.createdAt ?? '',
    updatedAt: before?.updatedAt ?? null,
    version: before?.version,
  }
  return { request, place, host, driver, record, passing, again: lineFor(request, place, host, passing), before }
}

/** With the context that leads to it from here, which may be in a file of its own. */
function asHere(deps: Standalone, there: FederationRecord, host: FoundCluster, { kubeconfigOut }: FederationRequest) {
  const file = kubeconfigOut === undefined ? undefined : userPath(kubeconfigOut, deps.world)
  return recordHere(deps, there, host.reference, file)
}

function lineFor(request: FederationRequest, place: FederationPlace, host: FoundCluster, passing: Options): string {
  const words = [
    ...(place.namespace ? [`--namespace ${shellWord(place.namespace)}`] : []),
    ...Object.entries(passing).map(([option, value]) =>
      value === true ? `--${option}` : `--${option} ${shellWord(String(value))}`,
    ),
    ...(request.words ? [request.words] : []),
  ]
  return `coe --standalone federation create ${[request.name, '--host', shellWord(host.reference), ...words].join(' ')}`
}

function refuseAnother(before: FederationRecord, { name, engine }: FederationRequest): void {
  const { namespace } = before
  if (before.uuid === '') {
    throw conflict(`namespace ${namespace} has a ConfigMap coe-federation that coe did not make`, {
      hint: 'it is where a federation keeps its record: take another namespace with --namespace, or remove it',
    })
  }
  if (before.name !== name) {
    throw conflict(`namespace ${namespace} is that of federation "${before.name}"`, {
      hint: 'each federation has a namespace of its own: take another with --namespace',
    })
  }
  if (engine?.driver && engine.driver !== before.driver) {
    throw conflict(`federation "${name}" was made by driver ${before.driver}, and stays with it`)
  }
}

function sorted(driver: Engine, { engine }: FederationRequest): { kept: Options; passing: Options } {
  const byName = new Map(driver.options.map(o => [o.name, o]))
  const entries = Object.entries(engine?.options ?? {})
  for (const [option, value] of entries) {
    const spec = byName.get(option)
    const wrong = (reason: string) => engine?.wrong?.(option, reason, [...byName.keys()]) ?? usage(reason)
    if (!spec) throw wrong(`driver ${driver.name} has no option --${option}`)
    if (Array.isArray(value) && !spec.many) throw wrong(`--${option} has one value`)
    for (const one of [value].flat()) {
      if (!fits(String(one), spec)) throw wrong(`--${option} is ${spec.value ?? spec.pattern}, not "${one}"`)
    }
    if (spec.type === 'flag' && !/^(true|false)$/.test(String(value))) throw wrong(`--${option} is true or false`)
  }
  const part = (passing: boolean) =>
    Object.fromEntries(entries.filter(([name]) => (byName.get(name)?.passing ?? false) === passing))
  return { kept: part(false), passing: part(true) }
}

/** The driver knows options alone; where one was written in a file, the error tells its place. */
function checked(
  driver: Engine,
  { engine }: FederationRequest,
  options: Options,
  before: Options | undefined,
): Options {
  try {
    return driver.federations.settings(options, before)
  } catch (error) {
    const option = error instanceof CoeError ? /^--([\w-]+) /.exec(error.message)?.[1] : undefined
    throw (option && engine?.wrong?.(option, (error as CoeError).message)) ?? error
  }
}

async function refuseImmutable(
  deps: Standalone,
  { driver, host }: Pick<Intent, 'driver' | 'host'>,
  before: FederationRecord,
  settings: Options,
): Promise<void> {
  const { name } = before
  const changed = Object.entries(driver.federations.immutable(before.settings, settings))
  if (changed.length === 0) return
  const site = siteOf({ record: before, reference: host.reference, host: host.api }, deps.signal)
  const options = changed.map(([option]) => option)
  const open = (await driver.federations.open(site).stillOpen?.(options)) ?? []
  const reasons = changed.filter(([option]) => !open.includes(option))
  if (reasons.length === 0) return
  const list = reasons.map(([option, why]) => `--${option} (${why})`).join(', ')
  throw conflict(`federation "${name}" is there with other settings, which cannot be changed: ${list}`, {
    hint: `"coe --standalone federation show ${name} -f yaml" tells them; leave these options out to keep them`,
  })
}

export const sameSettings = (a: Options, b: Options): boolean => {
  const text = (o: Options) => JSON.stringify(Object.entries(o).sort(([x], [y]) => (x < y ? -1 : 1)))
  return text(a) === text(b)
}
