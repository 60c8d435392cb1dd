/**
 * The one way to a server. An endpoint is a got instance with our rules: limits on everything, no redirects (the token
 * would follow), a retry only for what is safe to repeat, and failures that are errors for people.
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
  /** How it is called in errors: `Magnum`. */
  name: string
  url: string
  tls?: TlsSettings
  /** For all of one request, its retries apart. */
  timeoutMs?: number
  /** For the connection alone; ten seconds when absent. */
  connectMs?: number
  /** How often what may be repeated is tried. */
  attempts?: number
  /** Whether a connection that is refused is tried again; so it is when absent. */
  repeatRefused?: boolean
  userAgent: string
  tracer?: Tracer | undefined
  env: Readonly<Record<string, string | undefined>>
  /** From a kubeconfig; beats the environment. */
  proxyUrl?: string | undefined
  /** What to do where its certificate is not trusted; for OpenStack when absent. */
  trustHint?: string | undefined
}

export interface Request {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Appended to the endpoint's url. */
  path: string
  query?: Readonly<Record<string, string | number | undefined>>
  headers?: Readonly<Record<string, string | string[]>>
  /** Sent as JSON unless a string, which is sent as it is. */
  body?: unknown
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** A POST or PATCH that may be sent again even after it may have been processed. */
  repeatable?: boolean
}

export interface Response {
  status: number
  headers: Readonly<Record<string, string | undefined>>
  text: string
  /** Which attempt answered; 1 unless something was repeated. */
  attempts: number
}

export interface Endpoint {
  readonly name: string
  readonly url: string
  request(request: Request): Promise<Response>
  /** The body arrives piece by piece until the server or the signal ends it; only silence is limited. */
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
          const refusal = await ofProxy(answer, settings, url)
          if (refusal === undefined) return answer
          stream.destroy()
          throw refusal
        })
        .catch((told: CoeError) => {
          end?.(told)
          throw told
        })
      end?.({ ...begun, text: '', attempts: 1 })
      return { ...begun, body: pieces(stream, { ...peer, url }, request.signal, idleMs) }
    },
  }
}

/** A body that breaks off fails as an answer that never came does. */
async function* pieces(body: AsyncIterable<Buffer>, peer: Peer, signal: AbortSignal | undefined, idleMs: number) {
  try {
    yield* body
  } catch (error) {
    signal?.throwIfAborted()
    throw transportError(error, peer, idleMs)
  }
}

/** No more than a timer can count: given more, it rings at once. */
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
    retry: { limit: 0 }, // ours: got cannot tell a refused connection from a lost answer
    headers: { 'user-agent': settings.userAgent, accept: 'application/json' },
    timeout: { lookup: 5_000, ...connecting(settings), request: limitOf(settings) },
    ...(https ? tlsOptions(tls, agent !== undefined) : {}),
    ...(agent ? { agent } : {}),
  }
}

/** Who is meant in errors, and by which proxy it is reached. */
async function peerOf(settings: EndpointSettings): Promise<Peer> {
  const { name, url, trustHint } = settings
  const proxied = settings.proxyUrl ?? hasProxy(settings.env)
  const proxy = proxied ? (await import('./proxy.ts')).proxyOf(settings) : undefined
  return { name, url, trustHint, proxy: proxy && shownUrl(proxy) }
}

/** Of an http:// address the proxy's own answer comes in place of the server's; a tunnel's is an error already. */
async function ofProxy(
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
      const again = attempt < attempts && mayRetry(answer, request)
      const refusal = again ? undefined : await ofProxy(answer, settings, url)
      if (refusal) throw refusal
      end?.({ ...answer, attempts: attempt })
      if (again) {
        await pause(retryDelay(answer.headers['retry-after'], attempt), request.signal)
        continue
      }
      return { ...answer, attempts: attempt }
    } catch (error) {
      request.signal?.throwIfAborted()
      const told = transportError(error, { ...peer, url }, limit)
      end?.(told)
      if (attempt < attempts && mayResend(told, request, settings)) {
        await pause(retryDelay(undefined, attempt), request.signal)
        continue
      }
      throw told
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
      throw failed(`an answer of more than ${largestBody >> 20} MiB came from ${shownUrl(url)}`, { cause: error })
    throw error
  }
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, Array.isArray(v) ? v.join(', ') : v]))
}

const idempotent = (request: Request): boolean =>
  request.repeatable === true || ['GET', 'HEAD', 'PUT', 'DELETE'].includes(request.method)

/** What was refused before anything was done is repeated when the server says when, or it does no harm; the rest when it only reads. */
function mayRetry({ status, headers }: Omit<Response, 'text' | 'attempts'>, request: Request): boolean {
  const { done, again } = verdictOf({ status })
  if (again !== 'at once') return false
  return done === 'no' ? headers['retry-after'] !== undefined || idempotent(request) : request.method === 'GET'
}

/** What was not sent did nothing. A connection that broke may have: only what may be done twice is done twice. */
function mayResend({ details }: CoeError, request: Request, { repeatRefused = true }: EndpointSettings): boolean {
  const { done, again } = verdictOf(details)
  if (again !== 'at once' || (details.status !== undefined && details.code !== refusedByProxy)) return false
  if (done === 'no') return repeatRefused || details.code === refusedByProxy
  return request.method === 'GET' || request.repeatable === true
}

function retryDelay(retryAfter: string | undefined, attempt: number): number {
  const asked = retryAfter === undefined ? Number.NaN : Number(retryAfter) * 1000
  const wanted = Number.isFinite(asked) ? asked : 250 * 3 ** (attempt - 1)
  return Math.min(Math.max(wanted, 50), 20_000)
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await systemClock.sleep(ms, signal)
}
