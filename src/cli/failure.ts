/** The one printer of errors: what, why, what to do next; on stderr, as an object when the result would be one. */
import { CoeError, exitCodes } from '../core/errors.ts'
import { fold } from '../io/formats/fold.ts'
import { sanitize } from '../io/sanitize.ts'
import { type LineOf, stepObject, withSteps } from './print/next-step.ts'

export interface FailureStyle {
  json: boolean
  /** Show where it happened: --debug. */
  stack: boolean
  /** Control characters in texts of servers are made harmless. */
  tty: boolean
  /** Of the terminal, for people to read; undefined off one. */
  width?: number | undefined
  /** Before lines are broken: a secret of two words would not be found in two lines. */
  redact(text: string): string
  red(text: string): string
  dim(text: string): string
  line: LineOf
}

export interface Failure {
  text: string
  exitCode: number
}

export function describeFailure(error: unknown, style: FailureStyle): Failure {
  const known = error instanceof CoeError
  const bug = known ? undefined : asBug(error)
  const message = known ? error.message : (bug as string)
  const hint = known ? withSteps(error.hint, error.next, style.line) : 'please report it, with what --debug prints'
  const exitCode = known ? error.exitCode : exitCodes.failed
  const stack = style.stack && error instanceof Error ? error.stack : undefined
  if (style.json) {
    // `code` is the kind, whatever happened; the connection's own word for it stands beside
    const { code: errno, ...details } = known ? error.details : {}
    const code = known ? error.outcome : 'bug'
    const next = known && error.next.length > 0 ? error.next.map(step => stepObject(step, style.line)) : undefined
    const object = { error: { code, exit_code: exitCode, message, hint: hint || undefined, next, errno, ...details } }
    return { text: `${JSON.stringify(object)}\n${stack ? `${stack}\n` : ''}`, exitCode }
  }
  const clean = (text: string, label: string) =>
    style.tty ? fold(sanitize(style.redact(text)), style.width, label.length + 1) : text
  const lines = [`${style.red('coe:')} ${clean(message, 'coe:')}`]
  if (hint) lines.push(`${style.dim('hint:')} ${clean(hint, 'hint:')}`)
  if (stack) lines.push(style.dim(stack))
  return { text: `${lines.join('\n')}\n`, exitCode }
}

const asBug = (error: unknown): string =>
  `this is a bug in coe: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`

/** Several failed: one exit code for them, the same if they agree, "some of several" if anything worked. */
export function worstExit(errors: readonly unknown[], anyWorked: boolean): number {
  if (errors.length === 0) return exitCodes.ok
  if (anyWorked) return exitCodes.partial
  const codes = new Set(errors.map(e => (e instanceof CoeError ? e.exitCode : exitCodes.failed)))
  return codes.size === 1 ? ([...codes][0] as number) : exitCodes.failed
}
