/**
 * A command is data plus a `run`. Help, completion, the reference pages, validation and the JSON schemas all read the
 * same object, so that they always agree with the program.
 */
import type { Advice } from '../core/next-step.ts'
import type { Mode } from '../model/backend.ts'
import type { Capability } from '../model/capability.ts'
import type { Context } from './context.ts'

/** What Tab completes the value of an argument or option from. */
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
  /** Other spellings, dashes included: `-o`, `--output`. */
  readonly also?: readonly string[]
  /** Name of the value in help. Absent: the option is a flag. */
  readonly value?: string
  readonly help: string
  /** Heading in help; absent for the command's own options. */
  readonly group?: string
  readonly repeat?: boolean
  /** Repeatable, and its value is the count. */
  readonly tally?: boolean
  readonly choices?: readonly string[]
  readonly required?: boolean
  /** The default as shown in help; `parse` applies it. */
  readonly fallback?: string
  /** The environment variable with the same meaning; the config module reads it, help names it. */
  readonly env?: string
  readonly secret?: boolean
  readonly hidden?: boolean
  /** The only mode that it applies to. */
  readonly mode?: Mode
  readonly complete?: Completion
  /** Converts all occurrences in order (`''` for a flag) to the value. Throws a ValueProblem. */
  parse(texts: readonly string[]): T
}

/** All spellings, dashes included. */
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
  /** Name in the synopsis, if it differs from the key. */
  readonly label?: string
  parse(given: readonly string[]): T
}

/** An error in a value; the parser adds the name of the option. */
export class ValueProblem extends Error {}

export type Values<S extends Record<string, { parse(given: readonly string[]): unknown }>> = {
  [K in keyof S]: ReturnType<S[K]['parse']>
}

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'any'

export interface Column {
  readonly name: string
  readonly type: JsonType
  readonly help: string
  /** May be null in JSON. Default true: servers omit unknown values. */
  readonly nullable?: boolean
  /** Shown only with `--long` and `-o wide`. */
  readonly long?: boolean
  /** Shown only if the result names it (extraColumns). */
  readonly extra?: boolean
  /** The only mode that fills it. */
  readonly mode?: Mode
  /** Shown in JSON and YAML, or with -c: numbers and times that another column has as text. */
  readonly dataOnly?: boolean
  /** May hold several lines (logs, errors), which `-f value` joins into one. */
  readonly prose?: boolean
  /** The value as text, for all formats but JSON; absent: the value itself. */
  text?(value: unknown, row: Row, format: string): unknown
}

/** For the reference and the schema. */
export const columnHelp = ({ mode, help }: Column): string => (mode === undefined ? help : `${mode}: ${help}`)

/** What the command prints on stdout. */
export interface OutputSpec {
  /**
   * `list` and `show` go through the formatter. `text` prints a text of its own, and the object only with -f or -c;
   * `raw` is a text for other programs (a kubeconfig, a script), without -f.
   */
  readonly kind: 'list' | 'show' | 'text' | 'raw'
  readonly columns?: readonly Column[]
  /** Upstream prints a line before this table on stdout; with -f or -c it goes to stderr, so that the result can be parsed. */
  readonly announces?: boolean
  /** Header of a show table. */
  readonly header?: readonly [string, string]
  /** The text for null in all formats but JSON; Python's `None` when absent. */
  readonly nullText?: string
  /** A `text` command whose result with -f is a list of rows rather than one object. */
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
  /** The capability that the backend must have. */
  readonly needs?: Capability
  /** Exit codes with a special meaning here, besides the common ones. */
  readonly exits?: Readonly<Record<number, string>>
  /** Advice for surplus arguments, if their purpose can be guessed. */
  surplus?(words: readonly string[]): Advice | undefined
  /** The hint for unknown options. */
  readonly strangeOption?: string
  /** Uses no server and no settings file, so it works even if everything is broken. */
  readonly offline?: boolean
  run(context: Context, input: Input<A, O>): Promise<Result | undefined>
}

export interface Input<A extends Record<string, ArgSpec>, O extends Record<string, OptionSpec>> {
  readonly args: Values<A>
  readonly options: Values<O>
  /** True if the option is on the command line. */
  given(name: keyof O & string): boolean
}

export type Row = Readonly<Record<string, unknown>>

/** What a run returns to be printed. Failed items were reported before. */
export interface Result {
  /** For `list`, and `text` with `many`. */
  rows?: readonly Row[]
  /** For `show`, and `text`. */
  object?: Row
  /** For `text` and `raw`: printed as it is, with a line end added if it has none. */
  text?: string
  /** More columns than the spec's, chosen by the user (`--fields`). */
  extraColumns?: readonly string[]
  /** Columns of a table without -c, where most of the others are empty. */
  tableColumns?: readonly string[]
  long?: boolean
  /** True if at least one of several items succeeded: the exit code is then "some of several failed". */
  anyWorked?: boolean
  exit?: number
}

/** Returns the spec unchanged, but infers the types of `run`'s input from its args and options. */
export function defineCommand<A extends Record<string, ArgSpec>, O extends Record<string, OptionSpec>>(
  spec: CommandSpec<A, O>,
): CommandSpec<A, O> {
  return spec
}

/** Without the particular types, for lists of commands. */
// biome-ignore lint/suspicious/noExplicitAny: variance; a list holds commands of every shape
export type AnyCommand = CommandSpec<any, any>
