/** The registry as `coe driver list` and `coe driver show` print it. */
import { notFound } from '../core/errors.ts'
import { didYouMean } from '../core/text.ts'
import type { DriverDetails, Drivers, DriverView } from '../model/drivers.ts'
import type { Driver } from './driver-api.ts'
import type { DriverEntry, DriverRegistry } from './registry.ts'

export function driversView(registry: DriverRegistry): Omit<Drivers, 'test'> {
  return {
    list: async () => (await registry.list()).map(viewOf),
    async get(name) {
      const entries = await registry.list()
      const named = entries.filter(e => e.name === name)
      // of two drivers with the same name, the one that loads
      const entry = named.find(e => e.facts) ?? named[0] ?? entries.find(e => e.origin === name)
      if (!entry) {
        throw notFound(`there is no driver "${name}"`, {
          hint:
            didYouMean(
              name,
              entries.map(e => e.name),
            ) ?? `drivers: ${entries.map(e => e.name).join(', ')}`,
        })
      }
      if (!entry.enabled) return detailsOf(entry, undefined)
      return detailsOf(entry, await registry.driver(entry.name))
    },
  }
}

const viewOf = ({ name, origin, source, enabled, facts, error }: DriverEntry): DriverView => ({
  name,
  version: facts?.version ?? null,
  title: facts?.title ?? null,
  provides: facts?.provides ?? [],
  source,
  location: source === 'built-in' ? null : origin,
  state: error ? 'failed' : enabled ? 'enabled' : 'disabled',
  error: error?.message ?? null,
  hint: error?.hint ?? null,
})

const detailsOf = (entry: DriverEntry, loaded: Driver | undefined): DriverDetails => ({
  ...viewOf(entry),
  prefix: loaded?.clusters?.prefix ?? null,
  engineVersions: loaded?.federations?.engineVersions ?? [],
  options: entry.facts?.options ?? [],
  notes: entry.facts?.notes ?? null,
})
