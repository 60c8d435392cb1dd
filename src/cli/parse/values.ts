/** Builders of options and arguments, with the conversion from text to value. */
import { didYouMean } from '../../core/text.ts'
import { parseDuration } from '../../core/time.ts'
import { type ArgSpec, type OptionSpec, ValueProblem } from '../spec.ts'

type Extra = Partial<Omit<OptionSpec, 'name' | 'value' | 'help' | 'parse' | 'repeat' | 'tally'>>

const last = (given: readonly string[]): string | undefined => given[given.length - 1]

export function flag(name: string, help: string, extra: Extra = {}): OptionSpec<boolean> {
  return { name, help, ...extra, parse: given => given.length > 0 }
}

/** The number of occurrences: for pairs of which only one may be given, and only once. */
export function tally(name: string, help: string, extra: Extra = {}): OptionSpec<number> {
  return { name, help, ...extra, tally: true, parse: given => given.length }
}

export function text(name: string, value: string, help: string, extra: Extra = {}): OptionSpec<string | undefined> {
  return { name, value, help, ...extra, parse: last }
}

export function requiredText(name: string, value: string, help: string, extra: Extra = {}): OptionSpec<string> {
  return { name, value, help, ...extra, required: true, parse: given => last(given) as string }
}

export function textOr(
  name: string,
  value: string,
  help: string,
  fallback: string,
  extra: Extra = {},
): OptionSpec<string> {
  return { name, value, help, fallback, ...extra, parse: given => last(given) ?? fallback }
}

export function texts(name: string, value: string, help: string, extra: Extra = {}): OptionSpec<string[]> {
  return { name, value, help, ...extra, repeat: true, parse: given => [...given] }
}

function integer(given: string, least: number | undefined, most: number | undefined): number {
  if (!/^[+-]?\d+$/.test(given)) throw new ValueProblem(`"${given}" is not a whole number`)
  const n = Number(given)
  if (!Number.isSafeInteger(n)) throw new ValueProblem(`${given} is too large`)
  if (least !== undefined && n < least) throw new ValueProblem(`${n} is less than ${least}`)
  if (most !== undefined && n > most) throw new ValueProblem(`${n} is more than ${most}`)
  return n
}

interface Bounds {
  min?: number
  max?: number
}

export function int(
  name: string,
  value: string,
  help: string,
  extra: Extra & Bounds = {},
): OptionSpec<number | undefined> {
  const { min, max, ...rest } = extra
  const parse = (given: readonly string[]) => {
    const g = last(given)
    return g === undefined ? undefined : integer(g, min, max)
  }
  return { name, value, help, ...rest, parse }
}

export function intOr(
  name: string,
  value: string,
  help: string,
  fallback: number,
  extra: Extra & Bounds = {},
): OptionSpec<number> {
  const { min, max, ...rest } = extra
  const parse = (given: readonly string[]) => {
    const g = last(given)
    return g === undefined ? fallback : integer(g, min, max)
  }
  return { name, value, help, fallback: String(fallback), ...rest, parse }
}

export function requiredInt(name: string, value: string, help: string, extra: Extra & Bounds = {}): OptionSpec<number> {
  const { min, max, ...rest } = extra
  return { name, value, help, ...rest, required: true, parse: given => integer(last(given) as string, min, max) }
}

function oneOf(given: string, choices: readonly string[]): string {
  if (choices.includes(given)) return given
  const near = didYouMean(given, choices)
  throw new ValueProblem(`"${given}" is not one of ${choices.join(', ')}${near ? `; ${near}` : ''}`)
}

export function choice<const C extends readonly string[]>(
  name: string,
  choices: C,
  help: string,
  extra: Extra & { value?: string } = {},
): OptionSpec<C[number] | undefined> {
  const parse = (given: readonly string[]) => {
    const g = last(given)
    return g === undefined ? undefined : oneOf(g, choices)
  }
  return { name, value: extra.value ?? name, help, ...extra, choices, parse }
}

/** Repeatable; case does not matter. */
export function choices(name: string, all: readonly string[], help: string, extra: Extra = {}): OptionSpec<string[]> {
  const spelled = (given: string) => all.find(c => c.toLowerCase() === given.toLowerCase()) ?? oneOf(given, all)
  return { name, value: name, help, ...extra, repeat: true, choices: all, parse: given => given.map(spelled) }
}

/** Undefined if it is not given: a setting may apply then. */
export function duration(name: string, help: string, extra: Extra = {}): OptionSpec<number | undefined> {
  const parse = (given: readonly string[]) => {
    const g = last(given)
    if (g === undefined) return undefined
    const ms = parseDuration(g)
    if (ms === undefined) throw new ValueProblem(`"${g}" is not a duration such as 90s, 10m or 1h30m`)
    return ms
  }
  return { name, value: 'duration', help, ...extra, parse }
}

/** Splits at the first `=`; the value may contain commas and more equal signs. */
export function keyValue(given: string): [string, string] {
  const at = given.indexOf('=')
  if (at <= 0) throw new ValueProblem(`"${given}" is not of the form KEY=VALUE`)
  return [given.slice(0, at), given.slice(at + 1)]
}

export function keyValues(name: string, help: string, extra: Extra = {}): OptionSpec<Record<string, string>> {
  const parse = (given: readonly string[]) => Object.fromEntries(given.map(keyValue))
  return { name, value: 'key=value', help, ...extra, repeat: true, parse }
}

type ArgExtra = Partial<Omit<ArgSpec, 'help' | 'parse'>>

export function arg(help: string, extra: ArgExtra = {}): ArgSpec<string> {
  return { help, ...extra, parse: given => given[0] as string }
}

/** A name that is valid in Magnum: invalid names are refused before any request. */
export function magnumName(help: string, extra: ArgExtra = {}): ArgSpec<string> {
  const parse = (given: readonly string[]) => {
    const name = given[0] as string
    if (/^[a-zA-Z][a-zA-Z0-9_.-]{0,241}$/.test(name)) return name
    const why =
      name === ''
        ? 'it is empty'
        : name.length > 242
          ? 'it is longer than 242 characters'
          : 'it must begin with a letter and contain only letters, digits, "_", "." and "-"'
    throw new ValueProblem(`"${name}" is not a valid name for Magnum: ${why}`)
  }
  return { help, ...extra, parse }
}

/** A name that may be any text, of at most 255 characters. */
export function freeName(help: string, extra: ArgExtra = {}): ArgSpec<string> {
  const parse = (given: readonly string[]) => {
    const name = given[0] as string
    if (name !== '' && [...name].length <= 255) return name
    throw new ValueProblem(
      `"${name}" is not a valid name for Magnum: it ${name === '' ? 'is empty' : 'is longer than 255 characters'}`,
    )
  }
  return { help, ...extra, parse }
}

export function optionalArg(help: string, extra: ArgExtra = {}): ArgSpec<string | undefined> {
  return { help, ...extra, optional: true, parse: given => given[0] }
}

export function intArg(help: string, extra: ArgExtra & Bounds = {}): ArgSpec<number> {
  const { min, max, ...rest } = extra
  return { help, ...rest, parse: given => integer(given[0] as string, min, max) }
}

export function choiceArg<const C extends readonly string[]>(
  help: string,
  choices: C,
  extra: ArgExtra = {},
): ArgSpec<C[number]> {
  return { help, ...extra, choices, parse: given => oneOf(given[0] as string, choices) }
}

/** One or more. */
export function args(help: string, extra: ArgExtra = {}): ArgSpec<string[]> {
  return { help, ...extra, many: true, parse: given => [...given] }
}

/** None or more. */
export function optionalArgs(help: string, extra: ArgExtra = {}): ArgSpec<string[]> {
  return { help, ...extra, many: true, optional: true, parse: given => [...given] }
}
