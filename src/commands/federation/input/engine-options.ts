/** Options that come from a driver's data: wiring/registry.ts puts them into the specs, under keys that the commands' own cannot have. */
import { keyValue, text, texts } from '../../../cli/parse/values.ts'
import { usage } from '../../../core/errors.ts'
import type { DriverChoice } from '../../../model/backend.ts'

export const engineKey = (option: string): string => `engine:${option}`

const spoken = texts('driver-option', 'name=value', 'option of a driver that does not come with coe; repeatable', {
  mode: 'standalone',
})

/** Where the driver is the one that made the federation. */
export const driverOptionOption = { ...spoken, parse: (given: readonly string[]) => given.map(keyValue) }

const driverOption = text('driver', 'name', 'driver that creates it, such as karmada_v1', {
  mode: 'standalone',
  complete: 'engine',
  fallback: 'the first driver for federations',
})

/** Which driver, and what is said to one whose options are not known before it is loaded. */
export const driverOptions = {
  driver: driverOption,
  driverOption: driverOptionOption,
}

interface Given {
  driver?: string | undefined
  driverOption?: readonly (readonly [string, string])[]
}

/** Those that were written; the driver knows what holds for the others. */
export function engineOf(options: Given & Readonly<Record<string, unknown>>): DriverChoice {
  const prefix = engineKey('')
  const given = Object.fromEntries(
    Object.entries(options)
      .filter(([key, value]) => key.startsWith(prefix) && said(value))
      .map(([key, value]) => [key.slice(prefix.length), value as unknown]),
  )
  const pairs = options.driverOption ?? []
  for (const name of new Set(pairs.map(([name]) => name))) {
    if (name in given) throw usage(`--${name} is given twice: as it is, and with --driver-option`)
    const values = pairs.filter(pair => pair[0] === name).map(([, value]) => value)
    given[name] = values.length > 1 ? values : values[0]
  }
  return { driver: options.driver, options: given }
}

const said = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
