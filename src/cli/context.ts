/** What a command gets: a plain object, with functions for everything that costs time. */
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
  /** The result goes through the formatter (-f or -c): texts move to stderr. */
  readonly formatted: boolean
  /** Options of the formatter, for commands that print more than once. */
  readonly chosen: OutputChoice
  /** All columns are needed: for `-o wide`, or because -c names a column of long lists. */
  readonly wide: boolean
  /** True if coe may ask questions. */
  readonly interactive: boolean
  /** The first argument of the backend's methods. */
  readonly call: Call
  backend(): Promise<Backend>
  mode(): Promise<Mode>
  settings(): Promise<Settings>
  /** The session with the cloud's Keystone, for commands that use it directly. */
  cloud(): Promise<CloudSession>
  /** Drivers of federations and clusters, in both modes. */
  drivers(): Promise<Drivers>
  /** A line of the result where the command prints text; on stderr when the result is an object. */
  say(line: string, next?: readonly NextStep[]): void
  /** A line on stderr for the user; nothing with -q. */
  note(line: string, next?: readonly NextStep[]): void
  warn(line: string): void
  /** A next step, as the user can paste it. */
  readonly line: LineOf
  /** Reports one failed item of several: the line is printed now, the exit code decided at the end. */
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
  /** The command checks the result for a while in any case, so --wait-timeout has an effect without --wait. */
  checksResult?: boolean
}
