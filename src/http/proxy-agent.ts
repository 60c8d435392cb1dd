/** The two ways through an HTTP proxy: http:// is requested from it with the full URL, https:// uses a tunnel (CONNECT). */
import { type ClientRequest, Agent as HttpAgent, request as sendPlain } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type Socket, connect as toPlain } from 'node:net'
import { connect as toEncrypted } from 'node:tls'
import { proxyRefusal } from './proxy-refusal.ts'

export interface ProxySettings {
  proxy: URL
  /**
   * The limit of the connection to the proxy, of opening a tunnel, and of the TLS handshake inside; nothing else limits
   * these.
   */
  limitMs: number
}

const pool = { keepAlive: true, maxSockets: 16 }

type Made = (error: Error | null, socket?: Socket) => void
/** Methods of Node's agents that its types omit. */
interface Inside {
  createConnection(options: Destination, made?: Made): Socket | undefined
  addRequest(request: ClientRequest, options: Destination): void
}
interface Destination {
  host: string
  port: number | string
  /** The request that the connection is made for. If the request is abandoned, the connection is not needed. */
  wantedBy?: ClientRequest
  [option: string]: unknown
}

/** Sends the full URL in the request line, like curl, because many proxies allow CONNECT only to port 443. */
export function relayAgent(settings: ProxySettings): HttpAgent {
  const agent = new HttpAgent(pool)
  const inside = agent as unknown as Inside
  const { proxy } = settings
  const authorization = credentials(proxy)
  const addRequest = inside.addRequest.bind(agent)
  inside.addRequest = (request, options) => {
    request.path = `http://${request.getHeader('host')}${request.path}`
    if (authorization) request.setHeader('proxy-authorization', authorization)
    // all requests share the connections to the proxy
    addRequest(request, { ...options, host: hostOf(proxy), port: portOf(proxy), wantedBy: request })
  }
  // hands over a connected socket: with an unconnected one the HTTP client would wait for a DNS lookup of the server
  inside.createConnection = ({ wantedBy }, made) => {
    handOver(dial(settings, wantedBy), made)
    return undefined
  }
  return agent
}

/** A tunnel to the server, encrypted end to end. */
export function tunnelAgent(settings: ProxySettings): HttpsAgent {
  const agent = new HttpsAgent(pool)
  const inside = agent as unknown as Inside
  const addRequest = inside.addRequest.bind(agent)
  const encrypt = inside.createConnection.bind(agent)
  inside.addRequest = (request, options) => addRequest(request, { ...options, wantedBy: request })
  inside.createConnection = ({ wantedBy, ...options }, made) => {
    const secured = async () => {
      const socket = await openTunnel(settings, options, wantedBy)
      const tls = encrypt({ ...options, socket }) as Socket
      return ready(tls, 'secureConnect', settings.limitMs, wantedBy)
    }
    handOver(secured(), made)
    return undefined
  }
  return agent
}

const handOver = (socket: Promise<Socket>, made: Made | undefined): void =>
  void socket.then(
    found => made?.(null, found),
    error => made?.(error),
  )

async function openTunnel(
  settings: ProxySettings,
  { host, port }: Destination,
  wantedBy: ClientRequest | undefined,
): Promise<Socket> {
  const { proxy, limitMs } = settings
  const socket = await dial(settings, wantedBy)
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const authorization = credentials(proxy)
  const headers = { host: authority, ...(authorization ? { 'proxy-authorization': authorization } : {}) }
  return new Promise((resolve, reject) => {
    const request = sendPlain({
      method: 'CONNECT',
      path: authority,
      headers,
      setHost: false,
      createConnection: () => socket,
    })
    const release = destroyWhen(request, limitMs, wantedBy)
    request.once('connect', ({ statusCode = 0, headers }, opened: Socket) => {
      release()
      if (statusCode >= 200 && statusCode < 300) return resolve(opened)
      opened.destroy()
      reject(proxyRefusal({ proxy, server: authority, status: statusCode, headers }))
    })
    request.once('error', error => {
      release()
      reject(error)
    })
    request.end()
  })
}

function dial({ proxy, limitMs }: ProxySettings, wantedBy: ClientRequest | undefined): Promise<Socket> {
  const host = hostOf(proxy)
  const place = { host, port: portOf(proxy) }
  if (proxy.protocol === 'http:') return ready(toPlain(place), 'connect', limitMs, wantedBy)
  const name = isIP(host) ? {} : { servername: host }
  return ready(toEncrypted({ ...place, ...name, ALPNProtocols: ['http/1.1'] }), 'secureConnect', limitMs, wantedBy)
}

function ready(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  limitMs: number,
  wantedBy: ClientRequest | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const release = destroyWhen(socket, limitMs, wantedBy)
    const done = (): void => {
      release()
      socket.off('error', fail)
      resolve(socket)
    }
    const fail = (error: Error): void => {
      release()
      socket.off(event, done)
      reject(error)
    }
    socket.once(event, done)
    socket.once('error', fail)
  })
}

/** Destroys it after the limit or when its request is abandoned, because an open connection keeps the program running. */
function destroyWhen(
  what: { destroy(error?: Error): unknown },
  limitMs: number,
  wantedBy: ClientRequest | undefined,
): () => void {
  const timer = setTimeout(() => what.destroy(tooLate(limitMs)), limitMs)
  const abandon = (): void => void what.destroy(new Error('the request was abandoned'))
  if (wantedBy?.destroyed) queueMicrotask(abandon)
  wantedBy?.once('close', abandon)
  return () => {
    clearTimeout(timer)
    wantedBy?.off('close', abandon)
  }
}

/** Worded like the HTTP client's own timeouts, whose text http/failure.ts parses. */
const tooLate = (ms: number): Error =>
  Object.assign(new Error(`Timeout awaiting 'proxy' for ${ms}ms`), { name: 'TimeoutError', code: 'ETIMEDOUT' })

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80)

function credentials({ username, password }: URL): string | undefined {
  if (!username && !password) return undefined
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`
}

/** A percent sign that does not begin an escape stands for itself, as in curl. */
const decoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, escapes => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
