/** The only user of commander: it splits argv by the rules everybody knows; what the texts mean is decided by the specs. */
import { Command, CommanderError, Option } from 'commander'
import { type CoeError, usage } from '../core/errors.ts'
import { didYouMean } from '../core/text.ts'
import type { AnyCommand, ArgSpec, OptionSpec } from './spec.ts'
import { spellings, ValueProblem } from './spec.ts'
import { stockOptionHint } from './stock-options.ts'
import { synopsis } from './synopsis.ts'

/** What stood on the command line, by the option's long name. */
export type Given = Map<string, string[]>

export interface Split {
  given: Given
  positionals: string[]
}

/** Splits the rest of argv into options and positionals. `words` and `command` only serve the error texts. */
export function split(argv: readonly string[], specs: readonly OptionSpec[], words: string): Split {
  const given: Given = new Map()
  const command = new Command('coe').exitOverride().helpOption(false).allowExcessArguments().argument('[words...]')
  command.configureOutput({ writeErr: () => {}, writeOut: () => {} }).showSuggestionAfterError(false)
  for (const spec of specs) {
    for (const spelling of spellings(spec)) {
      const option = new Option(spec.value === undefined ? spelling : `${spelling} <${spec.value}>`)
      option.negate = false // `--no-proxy` is an option of ours, not the denial of `--proxy`
      command.addOption(option)
      command.on(`option:${option.name()}`, (value: string | null) => {
        const list = given.get(spec.name) ?? []
        list.push(value ?? '')
        given.set(spec.name, list)
      })
    }
  }
  try {
    command.parse([...argv], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) throw translate(error, specs, words)
    throw error
  }
  return { given, positionals: command.args }
}

function translate(error: CommanderError, specs: readonly OptionSpec[], words: string): CoeError {
  const where = words ? ` of "coe ${words}"` : ''
  const help = `see "coe ${words ? `${words} ` : ''}--help"`
  if (error.code === 'commander.unknownOption') {
    const typed = (/'([^']*)'/.exec(error.message)?.[1] ?? '').replace(/=.*/s, '')
    const near = didYouMean(typed, specs.filter(s => !s.hidden).flatMap(spellings))
    return usage(`unknown option "${typed}"${where}`, { hint: stockOptionHint(typed) ?? near ?? help })
  }
  if (error.code === 'commander.optionMissingArgument') {
    const typed = /'(?:-\w, )?(-[^ ']+)/.exec(error.message)?.[1] ?? 'option'
    return usage(`${typed} needs a value`, { hint: help })
  }
  return usage(error.message.replace(/^error: /, ''), { hint: help })
}

/** Turns texts into values; the first wrong one is a usage error that names its option. */
export function optionValues(
  specs: Readonly<Record<string, OptionSpec>>,
  given: Given,
  words: string,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const missing: string[] = []
  for (const [key, spec] of Object.entries(specs)) {
    const list = given.get(spec.name) ?? []
    if (spec.required && list.length === 0) missing.push(`--${spec.name}`)
    else values[key] = convert(`--${spec.name}`, () => spec.parse(list))
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
    values[key] = convert(`<${label}>`, () => spec.parse(mine))
  }
  if (left.length) {
    throw usage(`"coe ${command.words}" does not take "${left[0]}"`, { hint: `usage: coe ${synopsis(command)}` })
  }
  return values
}

function convert<T>(what: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ValueProblem) throw usage(`${what}: ${error.message}`)
    throw error
  }
}
