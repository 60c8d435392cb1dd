/** The command tree: finds commands by their words, without loading any. */
import { usage } from '../core/errors.ts'
import { didYouMean } from '../core/text.ts'
import { stockOptionHint } from './parse/stock-options.ts'
import { type AnyCommand, type Example, type OptionSpec, spellings } from './spec.ts'

/** A line of the registry: enough for lists and completion; the command itself is loaded when it runs. */
export interface Entry {
  readonly words: string
  readonly summary: string
  readonly hidden?: boolean
  load(): Promise<AnyCommand>
}

export interface Group {
  readonly words: string
  readonly summary: string
  /** Examples for new users. */
  readonly examples?: readonly Example[]
}

export interface Registry {
  readonly entries: readonly Entry[]
  readonly groups: readonly Group[]
}

export interface Found {
  /** The command, or undefined when the words end at a group (or there were none). */
  entry?: Entry
  /** The words that were recognised. */
  words: string[]
  /** The rest for the command's parser: options before the words, then everything after them. */
  rest: string[]
  /** The first word that names no command. */
  unknown?: string
  /** An option right before that word that not every command has; the word may be its value. */
  strange?: string
  /** A suggestion for that option. */
  near?: string | undefined
}

/** Words right after `prefix` in the tree; those of hidden commands only `withHidden`. */
export function nextWords(registry: Registry, prefix: readonly string[], withHidden = false): string[] {
  const names = new Set<string>()
  for (const entry of registry.entries) {
    if (entry.hidden && !withHidden) continue
    const words = entry.words.split(' ')
    if (words.length > prefix.length && prefix.every((w, i) => words[i] === w))
      names.add(words[prefix.length] as string)
  }
  return [...names]
}

/** Follows the words of argv; options of every command may stand before, between and after them. */
export function findCommand(registry: Registry, argv: readonly string[], globals: readonly OptionSpec[]): Found {
  const takesValue = new Set(globals.filter(option => option.value !== undefined).flatMap(spellings))
  const known = new Set(globals.flatMap(spellings))
  const words: string[] = []
  const rest: string[] = []
  let i = 0
  for (; i < argv.length; i++) {
    const token = argv[i] as string
    if (token === '--') break
    if (token.startsWith('-') && token !== '-') {
      rest.push(token)
      if (takesValue.has(token) && i + 1 < argv.length) rest.push(argv[++i] as string)
      continue
    }
    if (!nextWords(registry, words, true).includes(token)) {
      if (words.length > 0 && isCommand(registry, words)) break
      const before = argv[i - 1] ?? ''
      const odd = /^--[^=]+$/.test(before) && !known.has(before)
      const strange = odd ? { strange: before, near: didYouMean(before, known) } : {}
      return { words, rest: [...rest, ...argv.slice(i)], unknown: token, ...strange }
    }
    words.push(token)
  }
  const entry = registry.entries.find(e => e.words === words.join(' '))
  return { ...(entry ? { entry } : {}), words, rest: [...rest, ...argv.slice(i)] }
}

const isCommand = (registry: Registry, words: readonly string[]): boolean =>
  registry.entries.some(e => e.words === words.join(' '))

/** The error for an unknown command: a suggestion, or the list of commands. */
export function unknownCommand(registry: Registry, found: Found): Error {
  const { strange } = found
  if (strange !== undefined) {
    return usage(`unknown option "${strange}"`, {
      hint: stockOptionHint(strange) ?? found.near ?? "put the options of a command after the command's words",
    })
  }
  const choices = nextWords(registry, found.words)
  const typed = [...found.words, found.unknown].join(' ')
  const everywhere = registry.entries.filter(e => !e.hidden).map(e => e.words)
  const near =
    otherWord(found, choices) ??
    didYouMean(found.unknown ?? '', choices) ??
    didYouMean(typed, everywhere) ??
    fullCommand(found, registry) ??
    sameVerb(found.unknown, everywhere) ??
    innerGroup(found.unknown, registry) ??
    `there ${choices.length === 1 ? 'is' : 'are'}: ${choices.join(', ')}`
  return usage(`unknown command "${typed}"`, { hint: near })
}

/** A suggestion from all words up to the first option: `coe cluster-template list` → `cluster template list`, `coe server list` → `service list`. */
function fullCommand({ words, rest, unknown }: Found, { entries, groups }: Registry): string | undefined {
  const at = rest.indexOf(unknown as string)
  const more = rest.slice(at + 1)
  const end = more.findIndex(word => word.startsWith('-'))
  const following = end < 0 ? more : more.slice(0, end)
  const spaced = [...words, ...(unknown ?? '').split('-'), ...following]
  const known = entries.filter(e => !e.hidden).map(e => e.words)
  for (let n = spaced.length; n > words.length; n--) {
    const line = spaced.slice(0, n).join(' ')
    if (known.includes(line) || groups.some(g => g.words === line)) return `did you mean "${line}"?`
  }
  return following[0] && didYouMean([...words, unknown, following[0]].join(' '), known)
}

/** Verbs of other programs: kubefed, kubectl, docker. */
const otherWords: Readonly<Record<string, string>> = {
  ...{ init: 'create', new: 'create', make: 'create', add: 'create', apply: 'create' },
  ...{ rm: 'delete', remove: 'delete', destroy: 'delete', deinit: 'delete' },
  ...{ ls: 'list', get: 'show', describe: 'show', info: 'show' },
  ...{ edit: 'update', set: 'update', scale: 'resize', leave: 'unjoin' },
}

function otherWord({ words, unknown = '' }: Found, choices: readonly string[]): string | undefined {
  const meant = Object.hasOwn(otherWords, unknown) ? otherWords[unknown] : undefined
  return meant && choices.includes(meant) ? `did you mean "${[...words, meant].join(' ')}"?` : undefined
}

/** `coe template` → `coe cluster template`. */
function innerGroup(word: string | undefined, { groups }: Registry): string | undefined {
  const group = groups.find(g => g.words.endsWith(` ${word}`))
  return group && `did you mean "${group.words}"?`
}

/** `coe list` → the commands that end in `list`. */
function sameVerb(word: string | undefined, commands: readonly string[]): string | undefined {
  const ending = commands.filter(c => c.endsWith(` ${word}`))
  return ending.length
    ? `did you mean ${ending
        .slice(0, 4)
        .map(e => `"${e}"`)
        .join(' or ')}?`
    : undefined
}
