/** Options that come from a driver's data: main puts them into the specs, under keys that the commands' own cannot have. */
import { text } from '../../cli/values.ts'
import type { DriverChoice } from '../../model/backend.ts'

export const engineKey = (option: string): string => `engine:${option}`

export const driverOption = text('driver', 'name', 'driver that makes it, such as karmada_v1', {
  mode: 'standalone',
  fallback: 'the first that makes federations',
})

/** Those that were written; the driver knows what holds for the others. */
export function engineOf(options: { driver?: string | undefined }): DriverChoice {
  const prefix = engineKey('')
  const given = Object.entries(options)
    .filter(([key, value]) => key.startsWith(prefix) && said(value))
    .map(([key, value]) => [key.slice(prefix.length), value])
  return { driver: options.driver, options: Object.fromEntries(given) }
}

const said = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
