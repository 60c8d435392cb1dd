/**
 * What a request that failed tells: whether the server may have done it all the same, and whether another try is worth it. One
 * table for every client; what to do about it (look, send it again, wait) is decided where the request is known.
 */
import { CoeError, type ErrorDetails } from './errors.ts'

export interface Verdict {
  /**
   * `no`: it was never sent, or the server refused it. `lost`: it may have been done, and the server's word on it did not arrive.
   * `perhaps`: the server says that it failed, and may have done a part of it or all.
   */
  done: 'no' | 'lost' | 'perhaps'
  /** Another try: the transport makes it `at once` where a repeat does no harm; a long wait looks again `later`. */
  again: 'at once' | 'later' | 'never'
}

const no = (again: Verdict['again']): Verdict => ({ done: 'no', again })
const lost = (again: Verdict['again']): Verdict => ({ done: 'lost', again })

/** In the details of an error when a proxy refused: the system has no code for it. */
export const refusedByProxy = 'EPROXY'

/** Codes of the system and of the HTTP client. */
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

/** Of the HTTP parser: an answer came, and it was none. */
const parserCode = /^HPE_/

const statuses: Readonly<Record<number, Verdict>> = {
  429: no('at once'),
  500: { done: 'perhaps', again: 'later' },
  // a gateway that gave up on a server which may have gone on
  502: lost('at once'),
  503: no('at once'),
  504: lost('at once'),
}

export function verdictOf({ code, status }: ErrorDetails): Verdict {
  // no tunnel was made, so the server was not asked
  if (code === refusedByProxy)
    return no(status !== undefined && status >= 502 ? 'at once' : ofStatus(status ?? 0).again)
  if (status !== undefined) return ofStatus(status)
  if (code === undefined) return no('never')
  return codes[code] ?? (parserCode.test(code) ? lost('never') : no('never'))
}

function ofStatus(status: number): Verdict {
  // it was done; what came with the answer could not be read
  if (status < 300) return lost('never')
  return statuses[status] ?? no(status >= 500 ? 'later' : 'never')
}

/** Nothing was heard of the server, and nothing was sent to it. */
export const neverSent = (code: string | undefined): boolean => code !== undefined && codes[code]?.done === 'no'

/** May the server have done it without our hearing of it? */
export const answerLost = (error: unknown): error is CoeError =>
  error instanceof CoeError && verdictOf(error.details).done === 'lost'

/** The same, or the server says that it failed, which may have been in the midst of it. */
export const mayBeDone = (error: unknown): error is CoeError =>
  error instanceof CoeError && verdictOf(error.details).done !== 'no'

/** The server is busy, restarting or out of reach. What it refuses it will go on refusing. */
export const mayPass = (error: unknown): error is CoeError =>
  error instanceof CoeError && error.outcome === 'failed' && verdictOf(error.details).again !== 'never'
