/** Options from the data of drivers: wiring/registry.ts adds them to the specs, under keys that no other option can have. */
import { keyValue, text, texts } from '../../../cli/parse/values.ts'
import { usage } from '../../../core/errors.ts'
import type { DriverChoice } from '../../../model/backend.ts'

export const engineKey = (option: string): string => `engine:${option}`

const repeated = texts('driver-option', 'name=value', 'option of a driver that does not come with coe; repeatable', {
  mode: 'standalone',
})

/** For commands whose driver is the one that made the federation. */
export const driverOptionOption = { ...repeated, parse: (given: readonly string[]) => given.map(keyValue) }

const driverOption = text('driver', 'name', 'driver that creates it, such as karmada_v1', {
  mode: 'standalone',
  complete: 'engine',
  fallback: 'the first driver for federations',
})

/** Selects a driver, and gives options to one whose options are unknown before it is loaded. */
export const driverOptions = {
  driver: driverOption,
  driverOption: driverOptionOption,
}

interface DriverValues {
  driver?: string | undefined
  driverOption?: readonly (readonly [string, string])[]
}

/** The options on the command line; the driver has defaults for the others. */
export function engineOf(options: DriverValues & Readonly<Record<string, unknown>>): DriverChoice {
  const prefix = engineKey('')
  const given = Object.fromEntries(
    Object.entries(options)
      .filter(([key, value]) => key.startsWith(prefix) && isGiven(value))
      .map(([key, value]) => [key.slice(prefix.length), value as unknown]),
  )
  const pairs = options.driverOption ?? []
  for (const name of new Set(pairs.map(([name]) => name))) {
    if (name in given) throw usage(`--${name} is given twice: directly, and with --driver-option`)
    const values = pairs.filter(pair => pair[0] === name).map(([, value]) => value)
    given[name] = values.length > 1 ? values : values[0]
  }
  return { driver: options.driver, options: given }
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
