/** The only file that uses commander: it splits argv by the usual rules; the specs convert the texts to values. */
import { Command, CommanderError, Option } from 'commander'
import { type CoeError, usage } from '../../core/errors.ts'
import { didYouMean } from '../../core/text.ts'
import { notUtf8 } from '../../core/utf8.ts'
import type { AnyCommand, ArgSpec, OptionSpec } from '../spec.ts'
import { spellings, ValueProblem } from '../spec.ts'
import { stockOptionHint } from './stock-options.ts'
import { synopsis } from './synopsis.ts'

/** The texts on the command line, by the option's long name. */
export type GivenOptions = Map<string, string[]>

export interface Split {
  given: GivenOptions
  positionals: string[]
}

/**
 * Splits the rest of argv into options and positionals.
 * @param words of the command, for error messages
 * @param strange the hint for unknown options
 */
export function split(argv: readonly string[], specs: readonly OptionSpec[], words: string, strange?: string): Split {
  const given: GivenOptions = new Map()
  const command = new Command('coe').exitOverride().helpOption(false)
  command.configureOutput({ writeErr: () => {}, writeOut: () => {} })
  for (const spec of specs) {
    for (const spelling of spellings(spec)) {
      const option = new Option(spec.value === undefined ? spelling : `${spelling} <${spec.value}>`)
      option.negate = false // `--no-proxy` is an option of its own, not the negation of `--proxy`
      command.addOption(option)
      command.on(`option:${option.name()}`, (value: string | null) => {
        const list = given.get(spec.name) ?? []
        list.push(value ?? '')
        given.set(spec.name, list)
      })
    }
  }
  const { operands, unknown } = readOptions(command, argv, words)
  if (unknown[0] !== undefined) throw unknownOption(unknown[0], specs, words, strange)
  return { given, positionals: operands }
}

function readOptions(command: Command, argv: readonly string[], words: string): ReturnType<Command['parseOptions']> {
  try {
    return command.parseOptions([...argv])
  } catch (error) {
    if (!(error instanceof CommanderError) || error.code !== 'commander.optionMissingArgument') throw error
    // a value can only be missing after the last word; in `-vf`, the last letter needs it
    const last = argv.at(-1) ?? ''
    const option = last.startsWith('--') ? last : `-${last.slice(-1)}`
    throw usage(`${option} needs a value`, { hint: helpHint(words) })
  }
}

function unknownOption(
  written: string,
  specs: readonly OptionSpec[],
  words: string,
  strange: string | undefined,
): CoeError {
  const typed = written.replace(/=.*/s, '')
  const near = didYouMean(typed, specs.filter(s => !s.hidden).flatMap(spellings))
  const hint = strange ?? stockOptionHint(typed) ?? near ?? helpHint(words)
  return usage(`unknown option "${typed}"${words ? ` of "coe ${words}"` : ''}`, { hint })
}

const helpHint = (words: string): string => `see "coe ${words ? `${words} ` : ''}--help"`

/** Converts texts to values; the first invalid one is a usage error that names its option. */
export function optionValues(
  specs: Readonly<Record<string, OptionSpec>>,
  given: GivenOptions,
  words: string,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const missing: string[] = []
  for (const [key, spec] of Object.entries(specs)) {
    const list = given.get(spec.name) ?? []
    if (spec.required && list.length === 0) missing.push(`--${spec.name}`)
    else values[key] = convert(`--${spec.name}`, list, given => spec.parse(given))
  }
  if (missing.length)
    throw usage(`"coe ${words}" needs ${missing.join(' and ')}`, { hint: `see "coe ${words} --help"` })
  return values
}

export function argumentValues(command: AnyCommand, positionals: readonly string[]): Record<string, unknown> {
  const specs = Object.entries(command.args as Record<string, ArgSpec>)
  const values: Record<string, unknown> = {}
  const left = [...positionals]
  const wanted = (s: ArgSpec) => (s.optional ? 0 : 1)
  for (const [i, [key, spec]] of specs.entries()) {
    const label = spec.label ?? key
    const later = specs.slice(i + 1).reduce((n, [, s]) => n + wanted(s), 0)
    const take = spec.many
      ? Math.max(left.length - later, 0)
      : Math.min(1, spec.optional ? Math.max(left.length - later, 0) : left.length)
    if (take < wanted(spec)) {
      throw usage(`"coe ${command.words}" needs <${label}>`, { hint: `usage: coe ${synopsis(command)}` })
    }
    const mine = left.splice(0, take)
    values[key] = convert(`<${label}>`, mine, given => spec.parse(given))
  }
  if (left.length) {
    throw usage(`"coe ${command.words}" does not take "${left[0]}"`, {
      ...(command.surplus?.(positionals) ?? { hint: `usage: coe ${synopsis(command)}` }),
    })
  }
  return values
}

function convert<T>(what: string, given: readonly string[], parse: (given: readonly string[]) => T): T {
  if (given.some(notUtf8)) {
    throw usage(`${what}: the value is not UTF-8`, { hint: 'use a UTF-8 locale: "locale" shows the one in use' })
  }
  try {
    return parse(given)
  } catch (error) {
    if (error instanceof ValueProblem) throw usage(`${what}: ${error.message}`)
    throw error
  }
}
