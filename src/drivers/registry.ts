/** Lists and loads drivers. A driver that fails to load is listed with its error and does not affect the others. */

import type { KubeAccess } from '../config/kubeconfig/kubeconfig.ts'
import { CoeError, conflict, failed, notFound, usage } from '../core/errors.ts'
import { nextStep } from '../core/next-step.ts'
import { didYouMean } from '../core/text.ts'
import { inlineAccess } from '../kube/access/connect.ts'
import { builtIn } from './built-in.ts'
import type { OpenClusters } from './cluster-driver.ts'
import type { ClusterDriver, Driver, DriverApi, DriverFacts, FederationDriver } from './driver-api.ts'
import { besideCoe, type Found, findExternal, loadExternal } from './external.ts'

export interface RegistrySettings {
  coe: DriverApi
  /** `drivers.folders`, as absolute paths. */
  folders: readonly string[]
  /** `drivers.enabled`: if set, only these are used. */
  enabled?: readonly string[] | undefined
  disabled: readonly string[]
  /** The folder to search for packages; by default the one that coe is installed in. */
  packages?: string | undefined
  /** Called once for each driver that fails to load, so that the user knows what is missing. */
  onFailure?(name: string, error: CoeError): void
}

export interface DriverEntry {
  name: string
  /** `built in`, or the driver's folder. */
  origin: string
  source: 'built-in' | Found['source']
  enabled: boolean
  facts?: DriverFacts
  error?: CoeError
}

/** A cluster driver whose `find` always returns a complete access. */
export interface CompleteClusterDriver extends ClusterDriver {
  find(name: string): Promise<KubeAccess | undefined>
}

export interface DriverRegistry {
  list(): Promise<DriverEntry[]>
  /** @param version of the driver that wrote the record: a newer one than the installed driver's is refused */
  driver(name: string, version?: string): Promise<Driver>
  federations(name: string, version?: string): Promise<Driver & { federations: FederationDriver }>
  /** The driver that `federation create` uses by default. */
  defaultFederations(): Promise<string>
  /** The enabled drivers of clusters, in the order in which references are tried. */
  clusters(): Promise<(Omit<Driver, 'clusters'> & { clusters: CompleteClusterDriver })[]>
}

export function makeRegistry(settings: RegistrySettings): DriverRegistry {
  const { coe, folders, disabled, enabled } = settings
  const packages = settings.packages ?? besideCoe()
  const isEnabled = (name: string) => !disabled.includes(name) && (enabled === undefined || enabled.includes(name))
  const loaded = new Map<string, Promise<Driver>>()
  const failures = new Set<string>()
  let found: Promise<Found[]> | undefined
  const external = () => {
    found ??= findExternal(folders, packages)
    return found
  }
  const load = (key: string, make: () => Promise<Driver>): Promise<Driver> => {
    let driver = loaded.get(key)
    if (!driver) {
      driver = make()
      loaded.set(key, driver)
    }
    return driver
  }
  const builtInDriver = (one: (typeof builtIn)[number]) => load(one.name, async () => (await one.load())(coe))
  const externalDriver = (one: Found) => load(one.folder, () => loadExternal(one, coe))

  async function list(): Promise<DriverEntry[]> {
    const own = await Promise.all(
      builtIn.map(async ({ name, facts }) => ({
        name,
        origin: 'built in',
        source: 'built-in' as const,
        enabled: isEnabled(name),
        facts: await facts(),
      })),
    )
    const others = await Promise.all(
      (await external()).map(async one => {
        const place = { origin: one.folder, source: one.source }
        // a driver that is disabled by the name of its folder is not even loaded
        if (disabled.includes(one.name)) return { name: one.name, ...place, enabled: false }
        try {
          const driver = await externalDriver(one)
          return { name: driver.name, ...place, enabled: isEnabled(driver.name), facts: driver }
        } catch (error) {
          return { name: one.name, ...place, enabled: false, error: asError(error) }
        }
      }),
    )
    const checked = refuseDuplicates(own, others)
    for (const { name, origin, error } of checked) {
      if (error && !failures.has(origin)) settings.onFailure?.(name, error)
      if (error) failures.add(origin)
    }
    return [...own, ...checked]
  }

  async function driver(name: string, version?: string): Promise<Driver> {
    if (!isEnabled(name)) {
      throw usage(`driver "${name}" is disabled`, {
        hint: disabled.includes(name) ? 'take it out of drivers.disabled' : 'add it to drivers.enabled',
      })
    }
    const own = builtIn.find(one => one.name === name)
    const it = own ? await builtInDriver(own) : await externalByName(name)
    if (version !== undefined && isNewer(version, it.version)) {
      throw conflict(`this was made by driver ${name} ${version}, but this coe has ${it.version}`, {
        hint: 'use a newer coe, or the one that made it',
      })
    }
    return it
  }

  async function externalByName(name: string): Promise<Driver> {
    const entries = await list()
    const entry = entries.find(e => e.name === name && e.facts) ?? entries.find(e => e.name === name)
    if (entry?.error) throw entry.error
    const one = (await external()).find(f => f.folder === entry?.origin)
    if (one) return externalDriver(one)
    const near = didYouMean(
      name,
      entries.map(e => e.name),
    )
    const broken = entries.filter(e => e.error).map(e => e.name)
    throw notFound(`there is no driver "${name}"`, {
      ...(near
        ? { hint: near }
        : {
            ...(broken.length ? { hint: `these cannot be loaded: ${broken.join(', ')}` } : {}),
            next: [nextStep(broken.length ? 'see why' : 'see which there are', 'driver list')],
          }),
    })
  }

  async function federations(name: string, version?: string) {
    const it = await driver(name, version)
    if (it.federations) return { ...it, federations: it.federations }
    throw usage(`driver "${name}" does not make federations; it provides ${it.provides.join(' and ')}`)
  }

  return {
    list,
    driver,
    federations,
    async defaultFederations() {
      for (const { name, facts } of builtIn) {
        if (isEnabled(name) && (await facts()).provides.includes('federations')) return name
      }
      const one = (await list()).find(e => e.enabled && e.facts?.provides.includes('federations'))
      if (one) return one.name
      throw usage('no driver that makes federations is enabled', { hint: 'see drivers.enabled and drivers.disabled' })
    },
    async clusters() {
      const wanted = (await list()).filter(e => e.enabled && e.facts?.provides.includes('clusters'))
      const drivers = await Promise.all(wanted.map(e => driver(e.name)))
      return drivers.flatMap(it => (it.clusters ? [{ ...it, clusters: completed(it.clusters) }] : []))
    },
  }
}

/** Drivers may return credentials and an address alone; this completes them to an access. */
const completed = (clusters: ClusterDriver): CompleteClusterDriver => ({
  prefix: clusters.prefix,
  configured: clusters.configured,
  list: () => clusters.list(),
  ...(clusters.describe ? { describe: async name => clusters.describe?.(name) } : {}),
  ...(clusters.changedBy ? { changedBy: async (name, command) => clusters.changedBy?.(name, command) ?? {} } : {}),
  ...(clusters.open ? { open: site => clusters.open?.(site) as OpenClusters } : {}),
  async find(name) {
    const access = await clusters.find(name)
    return access === undefined || 'clusterEntry' in access ? access : inlineAccess(access)
  },
})

/** Of two drivers with the same name the first is used, and the other is listed with an error. */
function refuseDuplicates(own: readonly DriverEntry[], others: readonly DriverEntry[]): DriverEntry[] {
  const taken = new Map(own.map(e => [e.name, e.origin]))
  return others.map(entry => {
    const before = taken.get(entry.name)
    if (before === undefined) taken.set(entry.name, entry.origin)
    if (before === undefined || entry.error) return entry
    const { facts: _, ...rest } = entry
    return {
      ...rest,
      enabled: false,
      error: conflict(`there is another driver "${entry.name}" (${before})`, { hint: 'driver names must be unique' }),
    }
  })
}

const asError = (error: unknown): CoeError =>
  error instanceof CoeError ? error : failed(error instanceof Error ? error.message : String(error), { cause: error })

function isNewer(a: string, b: string): boolean {
  const parts = (v: string) => v.split('.').map(part => Number.parseInt(part, 10) || 0)
  const [x, y] = [parts(a), parts(b)]
  for (let i = 0; i < 3; i++) if ((x[i] ?? 0) !== (y[i] ?? 0)) return (x[i] ?? 0) > (y[i] ?? 0)
  return false
}
