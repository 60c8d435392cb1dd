/** Parses and checks answers, so that the other modules can rely on their shape. */
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
 * The body as JSON, or an error that describes it.
 * @param exact see `parseBounded`
 */
export function parseJson(response: Response, peer: Answerer, exact = false): unknown {
  try {
    return parseBounded(response.text, exact)
  } catch (cause) {
    throw badAnswer(response, peer, `answered with ${describe(response.text)}`, cause)
  }
}

const describe = (text: string): string => {
  if (/^\s*</.test(text)) return 'a web page, not JSON'
  if (text.trim() === '') return 'an empty body instead of JSON'
  return isJson(text) ? 'JSON that is nested too deep' : 'JSON that is cut off or damaged'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The body as JSON of this shape; other fields are allowed. */
export function readAnswer<T>(response: Response, peer: Answerer, shape: Shape): T {
  const value = parseJson(response, peer, true)
  const mismatch = shape(value)
  if (mismatch) throw unexpected(response, peer, mismatch)
  return value as T
}

export const unexpected = (response: Pick<Response, 'status'>, peer: Answerer, mismatch: Mismatch): CoeError =>
  badAnswer(response, peer, `answered with unexpected JSON: ${mismatchText(mismatch)}`)

function badAnswer({ status }: Pick<Response, 'status'>, peer: Answerer, what: string, cause?: unknown): CoeError {
  const where = shownUrl(peer.url)
  return failed(`${peer.name} ${what} (${where}, HTTP ${status})`, {
    hint: 'is this the right address, or is there a proxy in between?',
    cause,
    details: { status, url: where },
  })
}
