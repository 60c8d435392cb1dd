/** The options that drivers add to commands, as data that help and completion use too. */
import { choice, flag, text, texts } from '../cli/parse/values.ts'
import { type OptionSpec, ValueProblem } from '../cli/spec.ts'
import type { DriverFacts } from '../drivers/driver-api.ts'
import { type DriverCommand, type DriverOption, fits } from '../model/driver-option.ts'

/** An option of one driver. Other drivers may have one of the same name. */
interface Offer {
  driver: string
  option: DriverOption
}

/** By name. Options of several drivers with one name become one; the driver in use checks the value. */
export function driverOptions(
  command: DriverCommand,
  drivers: readonly Pick<DriverFacts, 'name' | 'options'>[],
): Map<string, OptionSpec> {
  const offers = drivers.flatMap(({ name: driver, options }) =>
    options.filter(option => option.commands.includes(command)).map(option => ({ driver, option })),
  )
  const names = new Set(offers.map(({ option }) => option.name))
  return new Map(
    [...names].map(name => [
      name,
      specOf(
        name,
        offers.filter(({ option }) => option.name === name),
      ),
    ]),
  )
}

function specOf(name: string, offers: readonly Offer[]): OptionSpec {
  const options = offers.map(({ option }) => option)
  const drivers = listed(offers.map(({ driver }) => driver))
  const extra = {
    group: `Of driver${offers.length === 1 ? '' : 's'} ${drivers}`,
    mode: 'standalone' as const,
    ...fallbackOf(offers),
  }
  const doc = textFor(offers, ({ doc }) => doc) ?? ''
  const isFlag = ({ type }: DriverOption) => type === 'flag'
  if (options.every(isFlag)) return flag(name, doc, extra)
  const value = options.find(option => option.value)?.value?.toLowerCase() ?? name
  if (options.some(isFlag)) return { ...text(name, value, doc, extra), parse: ambiguous(name, drivers) }
  const many = options.some(option => option.many)
  const choices = [...new Set(options.flatMap(option => option.choices ?? []))]
  if (!many && options.every(({ type }) => type === 'choice')) return choice(name, choices, doc, extra)
  const spec: OptionSpec = many ? texts(name, value, doc, extra) : text(name, value, doc, extra)
  return { ...spec, parse: given => spec.parse(given.map(one => fitting(one, options))) }
}

/** The common text of all drivers, or the texts with the drivers' names if they differ. */
function textFor(offers: readonly Offer[], what: (option: DriverOption) => string | undefined): string | undefined {
  const all = offers.flatMap(({ driver, option }) => {
    const text = what(option)
    return text === undefined ? [] : [{ driver, text }]
  })
  if (new Set(all.map(({ text }) => text)).size < 2 && all.length === offers.length) return all[0]?.text
  return all.length ? all.map(({ driver, text }) => `${driver}: ${text}`).join('; ') : undefined
}

function fallbackOf(offers: readonly Offer[]): { fallback?: string } {
  const fallback = textFor(offers, option => option.fallback)
  return fallback === undefined ? {} : { fallback }
}

/** The command line is parsed before the driver is known, so the option must be a flag, or not, for all drivers. */
const ambiguous = (name: string, drivers: string) => (given: readonly string[]) => {
  if (given.length === 0) return undefined
  throw new ValueProblem(
    `drivers ${drivers} have different options of this name: use --driver NAME --driver-option ${name}=VALUE`,
  )
}

function fitting(given: string, options: readonly DriverOption[]): string {
  if (options.some(option => fits(given, option))) return given
  const wanted = [...new Set(options.map(({ value, pattern }) => value ?? pattern))]
  throw new ValueProblem(`"${given}" is not ${wanted.join(' or ')}`)
}

const listed = (names: readonly string[]): string =>
  names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
