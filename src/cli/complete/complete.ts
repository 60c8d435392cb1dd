/**
 * What could stand where the cursor is. Called by the shells' scripts on each Tab: quick, and silent whatever goes wrong.
 * Prints `value<TAB>description` lines, then one of `:none`, `:files`, `:folders` for what the shell itself should offer.
 */

import { globalOptions } from '../options/globals.ts'
import { anyOutputOptions } from '../options/output-options.ts'
import { allOptions } from '../parse/all-options.ts'
import { type AnyCommand, type ArgSpec, type Completion, type OptionSpec, spellings } from '../spec.ts'
import { findCommand, nextWords, type Registry } from '../tree.ts'

export interface Candidate {
  value: string
  help: string
}

export interface Completed {
  candidates: Candidate[]
  shell: 'none' | 'files' | 'folders'
}

/** Asks for names that only a server or a file knows. `given` holds what stands on the line already. */
export type NameSource = (kind: Completion, given: TypedLine) => Promise<string[]>

export interface TypedLine {
  positionals: string[]
  options: Map<string, string>
}

const nothing: Completed = { candidates: [], shell: 'none' }

export async function complete(registry: Registry, words: readonly string[], names: NameSource): Promise<Completed> {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const found = findCommand(registry, before, [...Object.values(globalOptions), ...anyOutputOptions])
  if (found.entry === undefined) {
    if (found.unknown !== undefined) return nothing
    const pending = valueWanted(Object.values(globalOptions), before)
    if (pending) return values(pending, current, names, { positionals: [], options: new Map() })
    if (current.startsWith('-')) return optionNames(Object.values(globalOptions), current)
    return wordNames(registry, found.words, current)
  }
  const command = await found.entry.load()
  const options = Object.values(allOptions(command))
  const given = typedLine(options, found.rest)
  const pending = valueWanted(options, before)
  if (pending) return values(withColumns(pending, command), current, names, given)
  const [, name, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? []
  if (name !== undefined && value !== undefined) {
    const option = options.find(o => spellings(o).includes(name))
    if (!option) return nothing
    const answer = await values(withColumns(option, command), value, names, given)
    return { ...answer, candidates: answer.candidates.map(c => ({ ...c, value: `${name}=${c.value}` })) }
  }
  if (current.startsWith('-')) return optionNames(options, current)
  if (command.words === 'help') return wordNames(registry, given.positionals, current)
  return argument(command, current, names, given)
}

function wordNames(registry: Registry, words: readonly string[], current: string): Completed {
  const candidates = nextWords(registry, words)
    .filter(w => w.startsWith(current))
    .map(value => {
      const full = [...words, value].join(' ')
      const summary = (registry.entries.find(e => e.words === full) ?? registry.groups.find(g => g.words === full))
        ?.summary
      return { value, help: summary ?? '' }
    })
  return { candidates, shell: 'none' }
}

function optionNames(options: readonly OptionSpec[], current: string): Completed {
  const candidates = options
    .filter(o => !o.hidden && `--${o.name}`.startsWith(current))
    .map(o => ({ value: `--${o.name}`, help: o.help }))
  return { candidates, shell: 'none' }
}

/** The option whose value the cursor stands on, if the word before it is one that takes a value. */
function valueWanted(options: readonly OptionSpec[], before: readonly string[]): OptionSpec | undefined {
  const last = before.at(-1)
  if (last === undefined || !last.startsWith('-')) return undefined
  return options.find(o => o.value !== undefined && spellings(o).includes(last))
}

const withColumns = (option: OptionSpec, command: AnyCommand): OptionSpec =>
  option.name === 'column' || option.name === 'sort-column'
    ? { ...option, choices: (command.output.columns ?? []).map(c => c.name) }
    : option

function typedLine(options: readonly OptionSpec[], rest: readonly string[]): TypedLine {
  const given: TypedLine = { positionals: [], options: new Map() }
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] as string
    if (!word.startsWith('-')) {
      given.positionals.push(word)
      continue
    }
    const [name = word, inline] = word.split(/=(.*)/s)
    const option = options.find(o => spellings(o).includes(name))
    if (option?.value !== undefined) given.options.set(option.name, inline ?? rest[++i] ?? '')
    else if (option) given.options.set(option.name, '')
  }
  return given
}

function argument(command: AnyCommand, current: string, names: NameSource, given: TypedLine): Promise<Completed> {
  const specs = Object.values(command.args as Record<string, ArgSpec>)
  const at = given.positionals.length
  const spec = specs[at] ?? (specs.at(-1)?.many ? specs.at(-1) : undefined)
  return spec ? values(spec, current, names, given) : Promise.resolve(nothing)
}

async function values(
  spec: { choices?: readonly string[]; complete?: Completion },
  current: string,
  names: NameSource,
  given: TypedLine,
): Promise<Completed> {
  if (spec.choices) return { candidates: matching(spec.choices, current, []), shell: 'none' }
  if (spec.complete === 'file') return { candidates: [], shell: 'files' }
  if (spec.complete === 'folder') return { candidates: [], shell: 'folders' }
  if (spec.complete === undefined || spec.complete === 'none') return nothing
  return { candidates: matching(await names(spec.complete, given), current, given.positionals), shell: 'none' }
}

/** What is on the line already is not offered again: `join myfed c2 <Tab>`. */
const matching = (all: readonly string[], current: string, used: readonly string[]): Candidate[] =>
  [...new Set(all)].filter(v => v.startsWith(current) && !used.includes(v)).map(value => ({ value, help: '' }))

export function printed({ candidates, shell }: Completed): string {
  // a name with a blank or a control character cannot be typed as it is; the shells would split it
  const safe = candidates.filter(c => !/[\s\p{Cc}]/u.test(c.value))
  return `${safe.map(c => `${c.value}\t${c.help.replace(/\s+/g, ' ')}\n`).join('')}:${shell}\n`
}
