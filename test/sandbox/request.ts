import { type IncomingHttpHeaders, request as plain } from 'node:http'
import { type RequestOptions, request as secure } from 'node:https'

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The body as JSON; throws if it is invalid. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely, and fail loudly if they differ
  json: any
}

export interface Sent extends RequestOptions {
  body?: string | object | undefined
}

/** One request with Node's own client, so that the test does not depend on coe's. */
export function send(method: string, url: string, options: Sent = {}): Promise<Reply> {
  const { body, headers, ...rest } = options
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const outgoing = (url.startsWith('https:') ? secure : plain)(
      url,
      {
        method,
        ...rest,
        headers: { ...(typeof body === 'object' ? { 'Content-Type': 'application/json' } : {}), ...headers } as never,
      },
      incoming => {
        const chunks: Buffer[] = []
        incoming.on('data', chunk => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const answer = Buffer.concat(chunks).toString()
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: answer,
            get json() {
              return JSON.parse(answer)
            },
          })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}
