/**
 * Candidates for the word at the cursor. The shells' scripts call it on each Tab, so it must be fast, and silent on errors.
 * Prints `value<TAB>description` lines, then one of `:none`, `:files`, `:folders` for what the shell itself should complete.
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

/** Gets names from a server or a file. `line` is what the user has typed. */
export type NameSource = (kind: Completion, line: TypedLine) => Promise<string[]>

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
  const line = typedLine(options, found.rest)
  const pending = valueWanted(options, before)
  if (pending) return values(withColumns(pending, command), current, names, line)
  const [, name, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? []
  if (name !== undefined && value !== undefined) {
    const option = options.find(o => spellings(o).includes(name))
    if (!option) return nothing
    const answer = await values(withColumns(option, command), value, names, line)
    return { ...answer, candidates: answer.candidates.map(c => ({ ...c, value: `${name}=${c.value}` })) }
  }
  if (current.startsWith('-')) return optionNames(options, current)
  if (command.words === 'help') return wordNames(registry, line.positionals, current)
  return argument(command, current, names, line)
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

/** The option whose value is at the cursor, if the word before is an option that takes a value. */
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
  const line: TypedLine = { positionals: [], options: new Map() }
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] as string
    if (!word.startsWith('-')) {
      line.positionals.push(word)
      continue
    }
    const [name = word, inline] = word.split(/=(.*)/s)
    const option = options.find(o => spellings(o).includes(name))
    if (option?.value !== undefined) line.options.set(option.name, inline ?? rest[++i] ?? '')
    else if (option) line.options.set(option.name, '')
  }
  return line
}

function argument(command: AnyCommand, current: string, names: NameSource, line: TypedLine): Promise<Completed> {
  const specs = Object.values(command.args as Record<string, ArgSpec>)
  const at = line.positionals.length
  const spec = specs[at] ?? (specs.at(-1)?.many ? specs.at(-1) : undefined)
  return spec ? values(spec, current, names, line) : Promise.resolve(nothing)
}

async function values(
  spec: { choices?: readonly string[]; complete?: Completion },
  current: string,
  names: NameSource,
  line: TypedLine,
): Promise<Completed> {
  if (spec.choices) return { candidates: matching(spec.choices, current, []), shell: 'none' }
  if (spec.complete === 'file') return { candidates: [], shell: 'files' }
  if (spec.complete === 'folder') return { candidates: [], shell: 'folders' }
  if (spec.complete === undefined || spec.complete === 'none') return nothing
  return { candidates: matching(await names(spec.complete, line), current, line.positionals), shell: 'none' }
}

/** Leaves out words that are on the line already: `join myfed c2 <Tab>`. */
const matching = (all: readonly string[], current: string, used: readonly string[]): Candidate[] =>
  [...new Set(all)].filter(v => v.startsWith(current) && !used.includes(v)).map(value => ({ value, help: '' }))

export function printed({ candidates, shell }: Completed): string {
  // shells would split a name with a blank or a control character
  const safe = candidates.filter(c => !/[\s\p{Cc}]/u.test(c.value))
  return `${safe.map(c => `${c.value}\t${c.help.replace(/\s+/g, ' ')}\n`).join('')}:${shell}\n`
}
