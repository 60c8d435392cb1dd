import type { X509Certificate } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { systemClock } from '../core/time.ts'
import type { Clock } from '../core/world.ts'
import { answerThrough, type Wire } from './delivery.ts'
import type { Faults } from './faults.ts'
import { type Answer, type Handler, json, type Request } from './http.ts'
import type { RequestLog } from './log.ts'

export interface TlsOptions {
  key: string
  cert: string
  /** Asks clients for a certificate by this CA; another certificate counts as none, as in Kubernetes. */
  clientCa?: string | undefined
  minVersion?: 'TLSv1.2' | 'TLSv1.3' | undefined
}

export interface ListenerOptions {
  /** Its name in the log and in fault orders: `keystone`, `magnum`, `kube:c1`. */
  name: string
  handler: Handler
  /** Without it, plain HTTP. */
  tls?: TlsOptions | undefined
  /** A loopback address: `127.0.0.1`, `::1`, or on Linux any of 127/8. */
  host?: string | undefined
  port?: number | undefined
  log?: RequestLog | undefined
  faults?: Faults | undefined
  /** Real time, for faults on the wire. The state changes by the sandbox's own clock. */
  wireClock?: Clock | undefined
  /** Called before each request: the sandbox clock's `runDue`. */
  beforeEach?: (() => void) | undefined
  /** Whether a request is meant to change something; by default all but GET, HEAD and OPTIONS. */
  changes?: ((request: { method: string; url: string }) => boolean) | undefined
}

export interface Listener {
  readonly name: string
  /** `https://127.0.0.1:41233` */
  readonly url: string
  readonly port: number
  /** TCP connections accepted so far, which shows whether clients reuse theirs. */
  readonly connections: number
  /** `silent`: accepts connections and sends nothing. `refuse`: refuses connections. */
  die(how: 'silent' | 'refuse'): void
  /** Ends everything at once, including unfinished answers. */
  close(): Promise<void>
}

/** Made once, because an abort without a reason creates an error with a stack for each request. */
const clientGone = new Error('the client has disconnected')

const readOnly = new Set(['GET', 'HEAD', 'OPTIONS'])

export async function listen(options: ListenerOptions): Promise<Listener> {
  const { name, handler, tls, log, faults } = options
  const host = options.host ?? '127.0.0.1'
  const wireClock = options.wireClock ?? systemClock
  const sockets = new Set<Socket>()
  const closing = new AbortController()
  setMaxListeners(0, closing.signal) // each held or delayed request listens to it
  let connections = 0
  let silent = false

  const onRequest = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.on('error', () => {}) // ignores clients that disconnect
    incoming.on('error', () => {})
    options.beforeEach?.()
    const method = incoming.method ?? 'GET'
    const url = incoming.url ?? '/'
    const target = { service: name, method, url, agent: incoming.headers['user-agent'] ?? '' }
    const entry = log?.start({ ...target, changes: changes({ method, url }) })
    const wire: Wire = { outgoing, clock: wireClock, closing: closing.signal }
    const effects = silent ? [] : (faults?.hit(target) ?? [])
    for (const effect of effects) if (effect.kind === 'dead') die(effect.refuse ? 'refuse' : 'silent')
    if (silent) {
      if (entry) log?.end(entry, 0)
      return
    }
    const closed = new AbortController()
    outgoing.on('close', () => closed.abort(clientGone))
    const ask = async (): Promise<Answer> => {
      if (entry) entry.processed = true
      return handler(toRequest(incoming, tls ? 'https' : 'http', closed.signal))
    }
    const status = await answerThrough(effects, guarded(ask), wire)
    if (entry) log?.end(entry, status)
  }
  const changes = options.changes ?? (({ method }: { method: string }) => !readOnly.has(method))
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void onRequest(incoming, outgoing)

  const server = tls
    ? createTlsServer(
        {
          key: tls.key,
          cert: tls.cert,
          ...(tls.minVersion ? { minVersion: tls.minVersion } : {}),
          ...(tls.clientCa ? { ca: tls.clientCa, requestCert: true, rejectUnauthorized: false } : {}),
        },
        listener,
      )
    : createPlainServer(listener)
  server.keepAliveTimeout = 60_000
  server.requestTimeout = 0
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  }
  server.on('connection', (socket: Socket) => {
    connections++
    track(socket)
  })
  server.on('tlsClientError', () => {}) // a client that does not trust us disconnects: not a failure
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, host, resolve)
  })
  const { port } = server.address() as AddressInfo

  const die = (how: 'silent' | 'refuse') => {
    silent = true
    if (how === 'silent') return
    server.close()
    for (const socket of sockets) socket.destroy()
  }

  return {
    name,
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    get connections() {
      return connections
    },
    die,
    close: () =>
      new Promise(resolve => {
        closing.abort()
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** A handler that throws is a bug of the sandbox. The answer says so, to distinguish it from a simulated fault. */
function guarded(ask: () => Promise<Answer>): () => Promise<Answer> {
  return async () => {
    try {
      return await ask()
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      return json(500, { sandbox_bug: text }, { 'X-Coe-Sandbox': 'bug' })
    }
  }
}

/** Read once per connection rather than per request. */
const shownCertificates = new WeakMap<TLSSocket, { certificate: X509Certificate | undefined }>()
function shownBy(socket: TLSSocket): X509Certificate | undefined {
  let known = shownCertificates.get(socket)
  if (!known) {
    known = { certificate: socket.getPeerX509Certificate() }
    shownCertificates.set(socket, known)
  }
  return known.certificate
}

function toRequest(incoming: IncomingMessage, scheme: string, signal: AbortSignal): Request {
  const url = incoming.url ?? '/'
  const mark = url.indexOf('?')
  let body: Promise<Buffer> | undefined
  const { socket } = incoming
  const shown = socket instanceof TLSSocket ? shownBy(socket) : undefined
  const trusted = socket instanceof TLSSocket && socket.authorized
  return {
    method: incoming.method ?? 'GET',
    path: mark === -1 ? url : url.slice(0, mark),
    query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)),
    headers: incoming.headers,
    origin: `${scheme}://${incoming.headers.host ?? 'localhost'}`,
    body() {
      body ??= readAll(incoming)
      return body
    },
    clientCert: trusted ? shown : undefined,
    clientCertRefused: shown !== undefined && !trusted,
    signal,
  }
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
