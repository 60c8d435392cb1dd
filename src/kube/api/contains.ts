/** When the answer to a write is lost, it was done or it was not: the server is looked at, never guessed about. */
import { CoeError } from '../../core/errors.ts'

/** May the server have done it without our hearing of it? */
export function answerLost(error: unknown): boolean {
  if (!(error instanceof CoeError)) return false
  const { code, status } = error.details
  // an overloaded gateway may speak for a server that went on
  if (status !== undefined) return status === 500 || status === 502 || status === 504
  return code !== undefined && /^(ECONNRESET|EPIPE|ETIMEDOUT|ERR_BODY|ERR_READING|UND_|HPE_)/.test(code)
}

/** Is all that was sent in there? The server adds (defaults, status); it takes nothing away. */
export function contains(live: unknown, sent: unknown): boolean {
  if (Array.isArray(sent)) {
    return Array.isArray(live) && sent.length === live.length && sent.every((item, i) => contains(live[i], item))
  }
  if (sent !== null && typeof sent === 'object') {
    if (live === null || typeof live !== 'object') return Object.keys(sent).length === 0
    return Object.entries(sent).every(
      ([key, value]) => value === undefined || contains((live as Record<string, unknown>)[key], value),
    )
  }
  return live === sent
}
