/** Fetches a public file. Follows redirects, because the request contains no credentials. */
import { failed } from '../core/errors.ts'
import { shownUrl } from './failure.ts'
import type { Tracer } from './trace.ts'
import { type Endpoint, makeEndpoint } from './transport.ts'

export interface DownloadSettings {
  env: Readonly<Record<string, string | undefined>>
  userAgent: string
  tracer?: Tracer | undefined
  signal?: AbortSignal | undefined
  /** In bytes. */
  largest?: number
}

const mostRedirects = 5
const silenceMs = 30_000

export async function download(url: string, settings: DownloadSettings): Promise<Buffer> {
  let place = new URL(url)
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const answer = await (await endpointFor(place, settings)).stream(
      // keeps the query unchanged, because the addresses of object stores are signed
      { method: 'GET', path: place.pathname + place.search, signal: settings.signal },
      silenceMs,
    )
    if (answer.status === 200) return collect(answer.body, place, settings.largest ?? 64 * 1024 * 1024)
    for await (const _ of answer.body) break // closes the connection
    const next = answer.status >= 300 && answer.status < 400 ? answer.headers.location : undefined
    if (next === undefined) {
      throw failed(`${shownUrl(place.href)} answered with HTTP ${answer.status}`, {
        details: { status: answer.status },
      })
    }
    const target = new URL(next, place)
    if (place.protocol === 'https:' && target.protocol !== 'https:') {
      throw failed(`${shownUrl(place.href)} redirects to ${shownUrl(target.href)}, which is not https`)
    }
    place = target
  }
  throw failed(`${shownUrl(url)} redirects more than ${mostRedirects} times`)
}

const endpointFor = (url: URL, { env, userAgent, tracer }: DownloadSettings): Promise<Endpoint> =>
  makeEndpoint({ name: url.host, url: url.origin, userAgent, tracer, env })

async function collect(body: AsyncIterable<Buffer>, url: URL, largest: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > largest) throw failed(`${shownUrl(url.href)} is larger than ${largest >> 20} MiB`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
