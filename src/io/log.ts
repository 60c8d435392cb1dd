import type { Clock } from '../core/world.ts'
import { fold } from './formats/fold.ts'
import type { Redactor } from './redact.ts'
import { sanitize } from './sanitize.ts'
import type { Sink } from './streams.ts'
import type { Style } from './style.ts'

/** From `-q` to `--trace`; each level includes those before it. */
const logLevels = ['quiet', 'normal', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof logLevels)[number]

/** A message, or a function that makes it, called only if the message is written. */
export type Message = string | (() => string)

export interface Log {
  readonly level: LogLevel
  /** Shown at every level but quiet: something is wrong, but work continues. */
  warn(message: Message): void
  /** `-v`: the steps of the work. */
  info(message: Message): void
  /** `--debug`: requests, answers, timings. */
  debug(message: Message): void
  /** `--trace`: bodies. */
  trace(message: Message): void
  enabled(level: LogLevel): boolean
}

export interface LogOptions {
  level: LogLevel
  stderr: Sink
  redactor: Redactor
  clock: Clock
  style: Style
  /** `--log-file`: gets all messages up to `fileLevel`, with the time, independent of the console's level. */
  file?: { write(text: string): void } | undefined
  fileLevel?: LogLevel | undefined
}

type Kind = 'warn' | 'info' | 'debug' | 'trace'
const needs: Record<Kind, LogLevel> = { warn: 'normal', info: 'info', debug: 'debug', trace: 'trace' }
const rank = (level: LogLevel): number => logLevels.indexOf(level)

export function makeLog({ level, stderr, redactor, clock, style, file, fileLevel = 'debug' }: LogOptions): Log {
  const write = (kind: Kind) => (message: Message) => {
    const toConsole = rank(needs[kind]) <= rank(level)
    const toFile = file && rank(needs[kind]) <= rank(fileLevel)
    if (!toConsole && !toFile) return
    const text = redactor.redact(typeof message === 'string' ? message : message())
    if (toConsole) {
      const clean = stderr.isTTY ? sanitize(text) : text
      const shown = stderr.isTTY && kind === 'warn' ? fold(clean, stderr.columns, 'warning: '.length) : clean
      stderr.write(`${kind === 'warn' ? `${style.yellow('warning:')} ${shown}` : style.dim(shown)}\n`)
    }
    if (toFile) file.write(`${new Date(clock.now()).toISOString()} ${kind} ${text.replaceAll('\n', '\n  ')}\n`)
  }
  return {
    level,
    warn: write('warn'),
    info: write('info'),
    debug: write('debug'),
    trace: write('trace'),
    enabled: wanted => rank(wanted) <= rank(level) || (file !== undefined && rank(wanted) <= rank(fileLevel)),
  }
}
