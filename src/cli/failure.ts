/** Prints errors: what, why, and what to do next; on stderr, as JSON when the result would be JSON. */
import { CoeError, exitCodes } from '../core/errors.ts'
import { fold } from '../io/formats/fold.ts'
import { sanitize } from '../io/sanitize.ts'
import { type LineOf, stepObject, withSteps } from './print/next-step.ts'

export interface FailureStyle {
  json: boolean
  /** Show the stack, for --debug. */
  stack: boolean
  /** Stderr is a terminal: escape control characters in texts of servers. */
  tty: boolean
  /** Width of the terminal; undefined off a terminal. */
  width?: number | undefined
  /** Called before lines are broken, which could split a secret of several words. */
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
    // `code` is the kind of error; the code of the connection becomes `errno`
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

/** One exit code for several errors: their own if they agree, "some of several" if anything worked. */
export function worstExit(errors: readonly unknown[], anyWorked: boolean): number {
  if (errors.length === 0) return exitCodes.ok
  if (anyWorked) return exitCodes.partial
  const codes = new Set(errors.map(e => (e instanceof CoeError ? e.exitCode : exitCodes.failed)))
  return codes.size === 1 ? ([...codes][0] as number) : exitCodes.failed
}
