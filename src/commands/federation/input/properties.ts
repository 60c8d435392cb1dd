/** Parses `--property k=v`. Refuses a key that is given twice. */

import { keyValue } from '../../../cli/parse/values.ts'
import { type OptionSpec, ValueProblem } from '../../../cli/spec.ts'
import { usage } from '../../../core/errors.ts'

export type Properties = Record<string, string>

function parse(given: readonly string[]): Properties {
  const properties = new Map<string, string>() // in an object, __proto__ would not become a key
  for (const text of given) {
    const [key, value] = keyValue(text)
    if (properties.has(key)) throw new ValueProblem(`"${key}" is given more than once`)
    properties.set(key, value)
  }
  return Object.fromEntries(properties)
}

export const propertyOption = (help: string): OptionSpec<Properties> => ({
  name: 'property',
  value: 'key=value',
  help,
  repeat: true,
  parse,
})

/** Magnum's key for a federation's DNS zone. */
const zoneKey = 'dns-zone'

/** `--dns-zone Z` is `--property dns-zone=Z`; both may be given if they agree. */
export function withZone(properties: Properties, zone: string | undefined): Properties {
  if (zone === undefined) return properties
  const other = properties[zoneKey]
  if (other !== undefined && other !== zone) {
    throw usage(`--dns-zone ${zone} and --property ${zoneKey}=${other} contradict each other`)
  }
  return { ...properties, [zoneKey]: zone }
}

export const zoneOf = (properties: Properties): string | undefined => properties[zoneKey]
export const zoneProperty = (zone: string): Properties => ({ [zoneKey]: zone })
