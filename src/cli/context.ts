/** What a command is handed. A plain object; what costs something is a function. */
import type { Settings } from '../config/settings.ts'
import type { NextStep } from '../core/next-step.ts'
import type { World } from '../core/world.ts'
import type { Log } from '../io/log.ts'
import type { Reporter } from '../io/progress.ts'
import type { Redactor } from '../io/redact.ts'
import type { Streams } from '../io/streams.ts'
import type { Style } from '../io/style.ts'
import type { Backend, Mode } from '../model/backend.ts'
import type { Call } from '../model/call.ts'
import type { Drivers } from '../model/drivers.ts'
import type { Operation } from '../model/operation.ts'
import type { CloudSession } from '../openstack/session.ts'
import type { Host } from './host.ts'
import type { Globals } from './options/globals.ts'
import type { OutputChoice } from './options/output-options.ts'
import type { LineOf } from './print/next-step.ts'
import type { Registry } from './tree.ts'

export interface Context {
  readonly host: Host
  readonly world: World
  readonly streams: Streams
  readonly globals: Globals
  /** Aborted by the first Ctrl-C; the second ends the program. */
  readonly signal: AbortSignal
  readonly style: Style
  readonly log: Log
  readonly redactor: Redactor
  readonly registry: Registry
  /** The result goes through the formatter (-f/-c was given): texts move to stderr. */
  readonly formatted: boolean
  /** What was asked of the formatter, for who prints more than once. */
  readonly chosen: OutputChoice
  /** All columns are wanted: `-o wide`, or one that only long lists have was named with -c. */
  readonly wide: boolean
  /** May questions be asked? */
  readonly interactive: boolean
  /** What a method of the backend takes first. */
  readonly call: Call
  backend(): Promise<Backend>
  mode(): Promise<Mode>
  settings(): Promise<Settings>
  /** The session with the cloud's Keystone, for commands that are about it. */
  cloud(): Promise<CloudSession>
  /** What makes federations and knows clusters, in whatever mode. */
  drivers(): Promise<Drivers>
  /** A line of the result where the command prints text; on stderr when the result is an object. */
  say(line: string, next?: readonly NextStep[]): void
  /** A line on stderr for people; nothing with -q. */
  note(line: string, next?: readonly NextStep[]): void
  warn(line: string): void
  /** A next step, as the user can paste it. */
  readonly line: LineOf
  /** An item of several that failed: the line now, the exit code at the end. */
  report(error: unknown): void
  readonly progress: Reporter
  /** Flushes and closes what the run opened. */
  close(): Promise<void>
  operation(options: OperationOptions): Promise<Operation>
}

export interface OperationOptions {
  wait?: boolean
  waitTimeout?: number | undefined
  dryRun?: boolean
  /** What becomes of it is looked at for a while in any case: a time limit has its effect without --wait. */
  checksResult?: boolean
}
