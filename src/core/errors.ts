/** The one error type of expected failures. The code that knows the context throws it; only cli/failure.ts prints it. */
import type { Advice, NextStep } from './next-step.ts'

/** Frozen: scripts test these numbers. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  conflict: 5,
  partial: 6,
  timeout: 7,
  hangup: 129,
  interrupted: 130,
  terminated: 143,
} as const

export type Outcome = keyof typeof exitCodes

/** As `coe help exit-codes` has them; README.md and docs/errors.md are held to these by a test. */
export const exitMeanings: Readonly<Record<Outcome, string>> = {
  ok: 'done, or nothing to do',
  failed: 'failed; or status or doctor found something unhealthy',
  usage: 'the command line is wrong, or cannot work in this mode',
  notFound: 'not found',
  denied: 'not authenticated, or not allowed',
  conflict: 'conflict: the name is taken, the state does not allow it, or the name is ambiguous',
  partial: 'some of several failed',
  timeout: 'gave up waiting (--wait-timeout)',
  hangup: 'hung up (SIGHUP: the terminal or the SSH connection is gone)',
  interrupted: 'interrupted (Ctrl-C)',
  terminated: 'terminated',
}

/** Facts for programs beside the text, printed with `-f json`. */
export interface ErrorDetails {
  /** HTTP status of the answer. */
  status?: number | undefined
  /** The service that answered: `keystone`, `magnum`, `kubernetes`. */
  service?: string | undefined
  request_id?: string | undefined
  /** errno-like code of the transport: ECONNREFUSED, CERT_HAS_EXPIRED, … */
  code?: string | undefined
  [key: string]: unknown
}

export interface ErrorOptions extends Advice {
  cause?: unknown
  details?: ErrorDetails | undefined
}

export class CoeError extends Error {
  override readonly name = 'CoeError'
  readonly outcome: Outcome
  readonly hint: string | undefined
  /** Commands to run, after the hint. */
  readonly next: readonly NextStep[]
  readonly details: ErrorDetails

  constructor(outcome: Outcome, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.outcome = outcome
    this.hint = options.hint
    this.next = options.next ?? []
    this.details = options.details ?? {}
  }

  /** @internal A driver may bring a copy of this class with it (a fork does): an error is one by its name. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'CoeError' && 'outcome' in value
  }

  get exitCode(): number {
    return exitCodes[this.outcome]
  }
}

const maker =
  (outcome: Outcome) =>
  (message: string, options?: ErrorOptions): CoeError =>
    new CoeError(outcome, message, options)

export const failed = maker('failed')
export const usage = maker('usage')
export const notFound = maker('notFound')
export const denied = maker('denied')
export const conflict = maker('conflict')
export const partial = maker('partial')
export const timedOut = maker('timeout')
export const interrupted = maker('interrupted')

/** Outcomes of a run ended by a signal. */
const stops: readonly Outcome[] = ['interrupted', 'terminated', 'hangup']

export const isStop = (error: unknown): error is CoeError => error instanceof CoeError && stops.includes(error.outcome)

export const hasOutcome = (error: unknown, outcome: Outcome): error is CoeError =>
  error instanceof CoeError && error.outcome === outcome

/** For `.catch`: continues with a value where this outcome is not a failure; rethrows other errors. */
export const fallbackOn =
  <T>(outcome: Outcome, value: T) =>
  (error: unknown): T => {
    if (hasOutcome(error, outcome)) return value
    throw error
  }

/** An error and its causes, outermost first. Errno and TLS codes are often on an inner one. */
export function causeChain(error: unknown): Error[] {
  const chain: Error[] = []
  for (let e = error; e instanceof Error && !chain.includes(e); e = e.cause) chain.push(e)
  return chain
}

/** The first errno-like code (`ECONNREFUSED`, `CERT_HAS_EXPIRED`) in the chain. */
export function errorCode(error: unknown): string | undefined {
  for (const e of causeChain(error)) {
    if ('code' in e && typeof e.code === 'string') return e.code
  }
  return undefined
}
