import type { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A request as the simulated services see it. */
export interface Request {
  readonly method: string
  /** Without the query, still percent-encoded, because a name may contain a slash. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** `https://127.0.0.1:41233`: the client's form of the address, for the links in answers. */
  readonly origin: string
  body(): Promise<Buffer>
  /** The client's certificate, if the listener asks for one and it is by our CA. */
  readonly clientCert: X509Certificate | undefined
  /** The client showed a certificate by another CA or an expired one: Kubernetes answers 401. */
  readonly clientCertRefused: boolean
  /** Aborts when the client disconnects or the sandbox closes. */
  readonly signal: AbortSignal
}

export type HeaderList = Record<string, string | string[]>

/** A stream (a watch) is written chunk by chunk until it ends or the client disconnects. */
export type Body = string | Uint8Array | AsyncIterable<string | Uint8Array>

export interface Answer {
  status: number
  headers?: HeaderList | undefined
  body?: Body | undefined
}

export type Handler = (request: Request) => Promise<Answer> | Answer

export const json = (status: number, value: unknown, headers: HeaderList = {}): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

/** The decoded segments of a path; a malformed escape stays unchanged. */
export function segments(path: string): string[] {
  return path
    .split('/')
    .filter(part => part !== '')
    .map(part => {
      try {
        return decodeURIComponent(part)
      } catch {
        return part
      }
    })
}

export const isStream = (body: Body | undefined): body is AsyncIterable<string | Uint8Array> =>
  typeof body === 'object' && Symbol.asyncIterator in body
