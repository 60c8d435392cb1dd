/**
 * A command is data plus a `run`. Help, completion, the reference pages, validation and the JSON schemas all read the
 * same object, so that none of them can say something else than the program does.
 */
import type { Advice } from '../core/next-step.ts'
import type { Mode } from '../model/backend.ts'
import type { Capability } from '../model/capability.ts'
import type { Context } from './context.ts'

/** Where the values of an argument or option come from when somebody presses Tab. */
export type Completion =
  | 'cluster'
  | 'template'
  | 'nodegroup'
  | 'federation'
  | 'member'
  | 'cloud'
  | 'driver'
  /** A driver that makes federations. */
  | 'engine'
  | 'context'
  | 'file'
  | 'folder'
  | 'command'
  | 'none'

export interface OptionSpec<T = unknown> {
  /** Long name without the dashes. */
  readonly name: string
  readonly short?: string
  /** Other spellings that mean the same, dashes included: `-o`, `--output`. */
  readonly also?: readonly string[]
  /** Name of the value in help. Absent: the option is a flag. */
  readonly value?: string
  readonly help: string
  /** Heading in help; the command's own when absent. */
  readonly group?: string
  readonly repeat?: boolean
  /** Repeatable, and what counts is how often. */
  readonly tally?: boolean
  readonly choices?: readonly string[]
  readonly required?: boolean
  /** In words, for help. `parse` is what applies it. */
  readonly fallback?: string
  /** The environment variable that stands in for it; read by the config module, named here for help. */
  readonly env?: string
  readonly secret?: boolean
  readonly hidden?: boolean
  /** Has a meaning in this mode alone. */
  readonly mode?: Mode
  readonly complete?: Completion
  /** All occurrences, in order (`['']` for each flag given) → the value. Throws a ValueProblem. */
  parse(given: readonly string[]): T
}

/** All ways to write it, dashes included. */
export const spellings = ({ name, short, also = [] }: OptionSpec): string[] => [
  `--${name}`,
  ...(short ? [`-${short}`] : []),
  ...also,
]

export interface ArgSpec<T = unknown> {
  readonly help: string
  readonly many?: boolean
  readonly optional?: boolean
  readonly complete?: Completion
  readonly choices?: readonly string[]
  /** Name in the synopsis when it is not the key. */
  readonly label?: string
  parse(given: readonly string[]): T
}

/** What is wrong with a value; the parser puts the option's name before it. */
export class ValueProblem extends Error {}

export type Values<S extends Record<string, { parse(given: readonly string[]): unknown }>> = {
  [K in keyof S]: ReturnType<S[K]['parse']>
}

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'any'

export interface Column {
  readonly name: string
  readonly type: JsonType
  readonly help: string
  /** May be null in JSON. Default true: servers leave out what they do not know. */
  readonly nullable?: boolean
  /** Shown under `--long` and `-o wide` alone. */
  readonly long?: boolean
  /** Only there where the result says so (extraColumns). */
  readonly extra?: boolean
  /** Holds something in this mode alone. */
  readonly mode?: Mode
  /** In JSON and YAML, and where it is named with -c: numbers and times that another column has in words. */
  readonly dataOnly?: boolean
  /** May hold several lines (logs, errors): `-f value` prints them as one, for readers of lines. */
  readonly prose?: boolean
  /** How every format but JSON spells the value, where that is not the value itself. */
  text?(value: unknown, row: Row, format: string): unknown
}

/** For the reference and the schema. */
export const columnHelp = ({ mode, help }: Column): string => (mode === undefined ? help : `${mode}: ${help}`)

/** What the command prints on stdout. */
export interface OutputSpec {
  /**
   * `list` and `show` go through the formatter. `text` prints a text of its own, and the object only under -f/-c;
   * `raw` is a text for other programs (a kubeconfig, a script) and knows no -f.
   */
  readonly kind: 'list' | 'show' | 'text' | 'raw'
  readonly columns?: readonly Column[]
  /** Upstream prints a line before this table, on stdout; with -f/-c it goes to stderr, so that the result can be read. */
  readonly announces?: boolean
  /** Header of a show table. */
  readonly header?: readonly [string, string]
  /** How null is spelled in every format but JSON; Python's `None` when absent. */
  readonly nullText?: string
  /** A `text` command whose result under -f is a list of rows rather than one object. */
  readonly many?: boolean
}

export interface Example {
  readonly line: string
  readonly help: string
}

export interface CommandSpec<
  A extends Record<string, ArgSpec> = Record<string, ArgSpec>,
  O extends Record<string, OptionSpec> = Record<string, OptionSpec>,
> {
  readonly words: string
  readonly summary: string
  readonly description?: string
  readonly args: A
  readonly options: O
  readonly examples: readonly Example[]
  readonly output: OutputSpec
  /** What the backend must be able to do; every backend can when absent. */
  readonly needs?: Capability
  /** Exit codes that mean something particular here, besides the common ones. */
  readonly exits?: Readonly<Record<number, string>>
  /** The hint for more words than it takes, where it is known what they were meant for. */
  surplus?(words: readonly string[]): Advice | undefined
  /** The hint for an option that it does not have. */
  readonly strangeOption?: string
  /** Never asks a server or a settings file: works with everything broken. */
  readonly offline?: boolean
  run(context: Context, input: Input<A, O>): Promise<Result | undefined>
}

export interface Input<A extends Record<string, ArgSpec>, O extends Record<string, OptionSpec>> {
  readonly args: Values<A>
  readonly options: Values<O>
  /** Was this option written on the command line? */
  given(name: keyof O & string): boolean
}

export type Row = Readonly<Record<string, unknown>>

/** What a run hands back to be printed. `failures` were reported already; they decide the exit code. */
export interface Result {
  /** For `list`, and `text` with `many`. */
  rows?: readonly Row[]
  /** For `show`, and `text`. */
  object?: Row
  /** For `text` and `raw`: printed as it is, a line end added when it lacks one. */
  text?: string
  /** More columns than the spec's, chosen by the user (`--fields`). */
  extraColumns?: readonly string[]
  /** What a table shows when nobody chose columns, where most of the others hold nothing. */
  tableColumns?: readonly string[]
  long?: boolean
  /** Of several items, did any succeed? Decides between "some failed" and the failure itself. */
  anyWorked?: boolean
  exit?: number
}

/** Identity, but it infers the types of `run`'s input from the data beside it. */
export function defineCommand<A extends Record<string, ArgSpec>, O extends Record<string, OptionSpec>>(
  spec: CommandSpec<A, O>,
): CommandSpec<A, O> {
  return spec
}

/** Loses the particular types, for lists of commands. */
// biome-ignore lint/suspicious/noExplicitAny: variance; a list holds commands of every shape
export type AnyCommand = CommandSpec<any, any>
