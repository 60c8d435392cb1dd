/**
 * The only module that sends requests. An endpoint is a got instance with our rules: limits on everything, no redirects
 * (they would get the token), retries only of requests that are safe to repeat, and failures as CoeErrors.
 */
import type { IncomingMessage } from 'node:http'
import got, { type CancelableRequest, type Got, type Response as GotResponse, type OptionsInit } from 'got'
import { type CoeError, failed } from '../core/errors.ts'
import { refusedByProxy, verdictOf } from '../core/failed-request.ts'
import { longestTimerMs, systemClock } from '../core/time.ts'
import { type Peer, shownUrl, transportError } from './failure.ts'
import { type TlsSettings, tlsOptions } from './tls.ts'
import type { Tracer } from './trace.ts'

export interface EndpointSettings {
  /** Its name in errors: `Magnum`. */
  name: string
  url: string
  tls?: TlsSettings
  /** For one attempt of a request. */
  timeoutMs?: number
  /** For the connection alone; ten seconds by default. */
  connectMs?: number
  /** The maximum of attempts of a repeatable request. */
  attempts?: number
  /** Whether a refused connection is retried; true by default. */
  repeatRefused?: boolean
  userAgent: string
  tracer?: Tracer | undefined
  env: Readonly<Record<string, string | undefined>>
  /** From a kubeconfig; overrides the environment. */
  proxyUrl?: string | undefined
  /** The hint if its certificate is not trusted; by default the one for OpenStack. */
  trustHint?: string | undefined
}

export interface Request {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Appended to the endpoint's url. */
  path: string
  query?: Readonly<Record<string, string | number | undefined>>
  headers?: Readonly<Record<string, string | string[]>>
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** A POST or PATCH that may be repeated even if the first one was processed. */
  repeatable?: boolean
}

export interface Response {
  status: number
  headers: Readonly<Record<string, string | undefined>>
  text: string
  /** The number of the attempt that was answered; 1 without retries. */
  attempts: number
}

export interface Endpoint {
  readonly name: string
  readonly url: string
  request(request: Request): Promise<Response>
  /** Streams the body until the server or the signal ends it. Only the time between chunks is limited. */
  stream(request: Request, idleMs: number): Promise<Streamed>
}

export interface Streamed {
  status: number
  headers: Response['headers']
  body: AsyncIterable<Buffer>
}

const usualAttempts = 3
const largestBody = 64 * 1024 * 1024

export async function makeEndpoint(settings: EndpointSettings): Promise<Endpoint> {
  const instance = got.extend(await options(settings))
  const peer = await peerOf(settings)
  return {
    name: settings.name,
    url: settings.url,
    request: request => send(instance, settings, peer, request),
    async stream(request, idleMs) {
      const url = target(settings.url, request)
      const end = settings.tracer?.begin(request.method, url, request)
      const beginMs = Math.min(30_000, limitOf(settings))
      const stream = instance.stream(url, {
        ...perRequest(request),
        timeout: { ...connecting(settings), response: beginMs, socket: idleMs },
      } as OptionsInit & { isStream: true })
      const begun = await new Promise<Omit<Streamed, 'body'>>((resolve, reject) => {
        stream.once('response', (r: IncomingMessage) =>
          resolve({ status: r.statusCode ?? 0, headers: flat(r.headers) }),
        )
        stream.once('error', e => reject(transportError(e, { ...peer, url }, beginMs)))
      })
        .then(async answer => {
          const refusal = await proxyRefusalOf(answer, settings, url)
          if (refusal === undefined) return answer
          stream.destroy()
          throw refusal
        })
        .catch((failure: CoeError) => {
          end?.(failure)
          throw failure
        })
      end?.({ ...begun, text: '', attempts: 1 })
      return { ...begun, body: pieces(stream, { ...peer, url }, request.signal, idleMs) }
    },
  }
}

/** Turns a body that breaks off into the same kind of failure as a missing answer. */
async function* pieces(body: AsyncIterable<Buffer>, peer: Peer, signal: AbortSignal | undefined, idleMs: number) {
  try {
    yield* body
  } catch (error) {
    signal?.throwIfAborted()
    throw transportError(error, peer, idleMs)
  }
}

/** Limited to the longest delay of a timer, because a longer one would fire at once. */
const limitOf = ({ timeoutMs = 60_000 }: EndpointSettings): number => Math.min(timeoutMs, longestTimerMs)

const connecting = (settings: EndpointSettings) => {
  const most = Math.min(settings.connectMs ?? 10_000, limitOf(settings))
  return { connect: most, secureConnect: most }
}

async function options(settings: EndpointSettings): Promise<OptionsInit> {
  const { tls = {} } = settings
  const https = settings.url.startsWith('https:')
  const proxied = settings.proxyUrl ?? hasProxy(settings.env)
  const agent = proxied ? (await import('./proxy.ts')).proxyAgent(settings, connecting(settings).connect) : undefined
  return {
    throwHttpErrors: false,
    followRedirect: false,
    decompress: true,
    retry: { limit: 0 }, // we retry: got cannot tell a refused connection from a lost answer
    headers: { 'user-agent': settings.userAgent, accept: 'application/json' },
    timeout: { lookup: 5_000, ...connecting(settings), request: limitOf(settings) },
    ...(https ? tlsOptions(tls, agent !== undefined) : {}),
    ...(agent ? { agent } : {}),
  }
}

/** The server and its proxy, for errors. */
async function peerOf(settings: EndpointSettings): Promise<Peer> {
  const { name, url, trustHint } = settings
  const proxied = settings.proxyUrl ?? hasProxy(settings.env)
  const proxy = proxied ? (await import('./proxy.ts')).proxyOf(settings) : undefined
  return { name, url, trustHint, proxy: proxy && shownUrl(proxy) }
}

/** Detects a proxy's own answer to a request for an http:// address. The refusal of a tunnel already is an error. */
async function proxyRefusalOf(
  answer: Omit<Streamed, 'body'>,
  settings: EndpointSettings,
  url: string,
): Promise<CoeError | undefined> {
  if (answer.status < 400 || !url.startsWith('http:') || !(settings.proxyUrl ?? hasProxy(settings.env)))
    return undefined
  const [{ proxyOf }, { refusalIn }] = await Promise.all([import('./proxy.ts'), import('./proxy-refusal.ts')])
  const proxy = proxyOf(settings)
  return proxy === undefined ? undefined : refusalIn(answer, proxy, url)
}

const hasProxy = (env: EndpointSettings['env']): boolean =>
  ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'].some(name => env[name])

function target(base: string, request: Request): string {
  const url = new URL(base.replace(/\/+$/, '') + request.path)
  for (const [key, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(key, String(value))
  }
  return url.href
}

function perRequest(request: Request): OptionsInit {
  const json = request.body !== undefined && typeof request.body !== 'string'
  return {
    method: request.method,
    headers: { ...(json ? { 'content-type': 'application/json' } : {}), ...request.headers },
    ...(request.body === undefined ? {} : { body: json ? JSON.stringify(request.body) : (request.body as string) }),
    ...(request.signal ? { signal: request.signal } : {}),
  }
}

async function send(instance: Got, settings: EndpointSettings, peer: Peer, request: Request): Promise<Response> {
  const url = target(settings.url, request)
  const limit = request.timeoutMs ?? limitOf(settings)
  const { attempts = usualAttempts } = settings
  for (let attempt = 1; ; attempt++) {
    const end = settings.tracer?.begin(request.method, url, request)
    try {
      const answer = await once(instance, url, request)
      const retry = attempt < attempts && mayRetry(answer, request)
      const refusal = retry ? undefined : await proxyRefusalOf(answer, settings, url)
      if (refusal) throw refusal
      end?.({ ...answer, attempts: attempt })
      if (retry) {
        await pause(retryDelay(answer.headers['retry-after'], attempt), request.signal)
        continue
      }
      return { ...answer, attempts: attempt }
    } catch (error) {
      request.signal?.throwIfAborted()
      const failure = transportError(error, { ...peer, url }, limit)
      end?.(failure)
      if (attempt < attempts && mayResend(failure, request, settings)) {
        await pause(retryDelay(undefined, attempt), request.signal)
        continue
      }
      throw failure
    }
  }
}

async function once(instance: Got, url: string, request: Request): Promise<Omit<Response, 'attempts'>> {
  const call = instance(url, {
    ...perRequest(request),
    ...(request.timeoutMs ? { timeout: { request: request.timeoutMs } } : {}),
    responseType: 'text',
  } as OptionsInit) as CancelableRequest<GotResponse<string>>
  let tooLarge = false
  void call.on('downloadProgress', progress => {
    if (progress.transferred <= largestBody) return
    tooLarge = true
    call.cancel()
  })
  try {
    const response = await call
    return { status: response.statusCode, headers: flat(response.headers), text: response.body }
  } catch (error) {
    if (tooLarge)
      throw failed(`the answer of ${shownUrl(url)} is larger than ${largestBody >> 20} MiB`, { cause: error })
    throw error
  }
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, Array.isArray(v) ? v.join(', ') : v]))
}

const idempotent = (request: Request): boolean =>
  request.repeatable === true || ['GET', 'HEAD', 'PUT', 'DELETE'].includes(request.method)

/**
 * Repeats a request that was refused before processing if the server names a time or a repeat does no harm; other
 * failed requests only if they read.
 */
function mayRetry({ status, headers }: Omit<Response, 'text' | 'attempts'>, request: Request): boolean {
  const { done, retry } = verdictOf({ status })
  if (retry !== 'at once') return false
  return done === 'no' ? headers['retry-after'] !== undefined || idempotent(request) : request.method === 'GET'
}

/**
 * A request that was not sent had no effect. After a broken connection it may have had one, so only repeatable requests
 * are sent again.
 */
function mayResend({ details }: CoeError, request: Request, { repeatRefused = true }: EndpointSettings): boolean {
  const { done, retry } = verdictOf(details)
  if (retry !== 'at once' || (details.status !== undefined && details.code !== refusedByProxy)) return false
  if (done === 'no') return repeatRefused || details.code === refusedByProxy
  return request.method === 'GET' || request.repeatable === true
}

function retryDelay(retryAfter: string | undefined, attempt: number): number {
  const requested = retryAfter === undefined ? Number.NaN : Number(retryAfter) * 1000
  const wanted = Number.isFinite(requested) ? requested : 250 * 3 ** (attempt - 1)
  return Math.min(Math.max(wanted, 50), 20_000)
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await systemClock.sleep(ms, signal)
}
