/**
 * The meaning of a failed request: whether the server may have processed it anyway, and whether a retry can help. One
 * table for all clients; the code that knows the request decides what to do (check, resend, wait).
 */
import { CoeError, type ErrorDetails } from './errors.ts'

export interface Verdict {
  /**
   * `no`: it was never sent, or the server refused it. `lost`: it may have been processed, but the answer did not
   * arrive. `perhaps`: the server reports a failure, but may have processed a part of it or all.
   */
  done: 'no' | 'lost' | 'perhaps'
  /** `at once`: the transport retries it if a repeat does no harm. `later`: only a long wait tries again. */
  retry: 'at once' | 'later' | 'never'
}

const no = (retry: Verdict['retry']): Verdict => ({ done: 'no', retry })
const lost = (retry: Verdict['retry']): Verdict => ({ done: 'lost', retry })

/** The code in an error's details for a refusal by a proxy, for which the system has no code. */
export const refusedByProxy = 'EPROXY'

/** By the codes of the system and of the HTTP client. */
const codes: Readonly<Record<string, Verdict>> = {
  ECONNREFUSED: no('at once'),
  EAI_AGAIN: no('at once'),
  EHOSTUNREACH: no('later'),
  ENETUNREACH: no('later'),
  ENOTFOUND: no('never'),
  ECONNRESET: lost('at once'),
  EPIPE: lost('at once'),
  ECONNABORTED: lost('later'),
  ETIMEDOUT: lost('later'),
  ERR_READING_RESPONSE_STREAM: lost('later'),
  ERR_BODY_PARSE_FAILURE: lost('never'),
}

/** The HTTP parser's codes, for invalid answers. */
const parserCode = /^HPE_/

const statuses: Readonly<Record<number, Verdict>> = {
  429: no('at once'),
  500: { done: 'perhaps', retry: 'later' },
  // a gateway gave up, but the server behind it may have continued
  502: lost('at once'),
  503: no('at once'),
  504: lost('at once'),
}

export function verdictOf({ code, status }: ErrorDetails): Verdict {
  // no tunnel was opened, so the request did not reach the server
  if (code === refusedByProxy)
    return no(status !== undefined && status >= 502 ? 'at once' : ofStatus(status ?? 0).retry)
  if (status !== undefined) return ofStatus(status)
  if (code === undefined) return no('never')
  return codes[code] ?? (parserCode.test(code) ? lost('never') : no('never'))
}

function ofStatus(status: number): Verdict {
  // it was processed, but the answer could not be read
  if (status < 300) return lost('never')
  return statuses[status] ?? no(status >= 500 ? 'later' : 'never')
}

/** Whether the server was not reached, so that nothing was sent to it. */
export const neverSent = (code: string | undefined): boolean => code !== undefined && codes[code]?.done === 'no'

/** Whether the server may have processed the request although no answer arrived. */
export const answerLost = (error: unknown): error is CoeError =>
  error instanceof CoeError && verdictOf(error.details).done === 'lost'

/** Like answerLost, or the server reported a failure that may have happened half way. */
export const mayBeDone = (error: unknown): error is CoeError =>
  error instanceof CoeError && verdictOf(error.details).done !== 'no'

/** Whether the server is busy, restarting or unreachable. A refusal is permanent. */
export const isTransient = (error: unknown): error is CoeError =>
  error instanceof CoeError && error.outcome === 'failed' && verdictOf(error.details).retry !== 'never'
