/** Options of drivers: those that are kept as settings, and those that only say how to do the work. */
import { CoeError, usage } from '../../core/errors.ts'
import { optionArgs, type StepArg } from '../../core/next-step.ts'
import { builtIn } from '../../drivers/built-in.ts'
import type { DriverFacts, Options } from '../../drivers/driver-api.ts'
import type { DriverChoice, FederationRequest } from '../../model/backend.ts'
import { type DriverCommand, fits } from '../../model/driver-option.ts'
import type { EngineDriver } from './creation.ts'

export function sortedOptions(
  driver: EngineDriver,
  { engine }: Pick<FederationRequest, 'engine'>,
): { kept: Options; transient: Options } {
  const options = checkedOptions(driver, 'federation create', engine)
  const isTransient = (name: string) => driver.options.find(o => o.name === name)?.transient ?? false
  const part = (transient: boolean) =>
    Object.fromEntries(Object.entries(options).filter(([name]) => isTransient(name) === transient))
  return { kept: part(false), transient: part(true) }
}

/** Refuses options that the driver does not take for the command. */
export function checkedOptions(
  driver: Pick<DriverFacts, 'name' | 'options'>,
  command: DriverCommand,
  engine: Pick<DriverChoice, 'options' | 'wrong'> | undefined,
): Options {
  const byName = new Map(driver.options.filter(o => o.commands.includes(command)).map(o => [o.name, o]))
  const options = engine?.options ?? {}
  for (const [option, value] of Object.entries(options)) {
    const spec = byName.get(option)
    const wrong = (reason: string) => engine?.wrong?.(option, reason, [...byName.keys()]) ?? usage(reason)
    const elsewhere = driver.options.find(o => o.name === option)?.commands.join(', ')
    if (!spec && elsewhere !== undefined) throw wrong(`--${option} of driver ${driver.name} belongs to: ${elsewhere}`)
    if (!spec) throw wrong(`driver ${driver.name} has no option --${option}`)
    if (Array.isArray(value) && !spec.many) throw wrong(`--${option} has one value`)
    for (const one of [value].flat()) {
      if (!fits(String(one), spec)) throw wrong(`--${option} is ${spec.value ?? spec.pattern}, not "${one}"`)
    }
    if (spec.type === 'flag' && !/^(true|false)$/.test(String(value))) throw wrong(`--${option} is true or false`)
  }
  return options
}

/** The options as arguments of a next step: those of external drivers are written with --driver-option. */
export function driverArgs(driver: string, options: Options): StepArg[] {
  const own = builtIn.some(({ name }) => name === driver)
  return Object.entries(options).flatMap(([name, value]) =>
    [value].flat().flatMap((one): StepArg[] => {
      if (!own) return optionArgs('driver-option', `${name}=${one}`)
      return one === true ? [{ option: name }] : optionArgs(name, String(one))
    }),
  )
}

/** Of the transient options, those needed to finish the change, and the names of those that no record keeps. */
export function keptOptions(
  driver: Pick<DriverFacts, 'options'>,
  transient: Options,
): { options: Record<string, unknown>; notKept: string[] } {
  const spec = new Map(driver.options.map(option => [option.name, option.resume]))
  const isKept = ([name, value]: [string, unknown]) =>
    spec.get(name) === 'value' || (spec.get(name) === 'url' && isPlainUrl(String(value)))
  const entries = Object.entries(transient)
  return {
    options: Object.fromEntries(entries.filter(isKept)),
    notKept: entries.filter(entry => !isKept(entry)).map(([name]) => name),
  }
}

/** A URL without any part that could be a secret. */
function isPlainUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search
}

/** A driver's errors name options; for an option from a file, the error points to its place in the file. */
export function checkedSettings(
  driver: EngineDriver,
  { engine }: Pick<FederationRequest, 'engine'>,
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

export const sameSettings = (a: Options, b: Options): boolean => {
  const text = (o: Options) => JSON.stringify(Object.entries(o).sort(([x], [y]) => (x < y ? -1 : 1)))
  return text(a) === text(b)
}
