/** What came is read here once, and checked: whatever is behind may rely on it. */
import { parseBounded } from '../core/bounded-json.ts'
import { type CoeError, failed } from '../core/errors.ts'
import { type Mismatch, mismatchText, type Shape } from '../core/shape.ts'
import { shownUrl } from './failure.ts'
import type { Response } from './transport.ts'

export interface Answerer {
  name: string
  url: string
}

/**
 * The body as JSON, or an error that says what came instead.
 * @param exact as of `parseBounded`
 */
export function parseJson(response: Response, peer: Answerer, exact = false): unknown {
  try {
    return parseBounded(response.text, exact)
  } catch (cause) {
    throw odd(response, peer, `answered with ${looks(response.text)}`, cause)
  }
}

const looks = (text: string): string => {
  if (/^\s*</.test(text)) return 'a web page, not JSON'
  if (text.trim() === '') return 'nothing where JSON was expected'
  return isJson(text) ? 'JSON that is nested far too deep' : 'JSON that is cut off or damaged'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The same, of the shape that is needed; more than that may be in it. */
export function readAnswer<T>(response: Response, peer: Answerer, shape: Shape): T {
  const value = parseJson(response, peer, true)
  const mismatch = shape(value)
  if (mismatch) throw unexpected(response, peer, mismatch)
  return value as T
}

export const unexpected = (response: Pick<Response, 'status'>, peer: Answerer, mismatch: Mismatch): CoeError =>
  odd(response, peer, `answered with JSON that is not what was asked for: ${mismatchText(mismatch)}`)

function odd({ status }: Pick<Response, 'status'>, peer: Answerer, what: string, cause?: unknown): CoeError {
  const where = shownUrl(peer.url)
  return failed(`${peer.name} ${what} (${where}, HTTP ${status})`, {
    hint: 'is this the right address, or does a proxy stand between?',
    cause,
    details: { status, url: where },
  })
}
