/** An endpoint with credentials: every request to one API server goes through it. */
import type { KubeAccess } from '../../config/kubeconfig/kubeconfig.ts'
import type { Tracer } from '../../http/trace.ts'
import { type Endpoint, makeEndpoint, type Request, type Response } from '../../http/transport.ts'
import { type CredentialOptions, type Identification, makeCredentials } from '../access/credentials.ts'

export interface ChannelOptions extends CredentialOptions {
  userAgent: string
  tracer?: Tracer | undefined
  /** The limit for one request. Watches end only by silence, and derive that limit from this one. */
  timeoutMs?: number
  connectMs?: number
  attempts?: number
  repeatRefused?: boolean
  /** In errors: `the API server of "c2"` when absent. */
  title?: string
}

export interface Channel {
  readonly name: string
  readonly server: string
  /** `the API server of "c2"` */
  readonly title: string
  readonly timeoutMs: number
  request(request: Request): Promise<Response>
  stream(request: Request, idleMs: number): ReturnType<Endpoint['stream']>
}

/** Says where the CA certificate comes from that the server's certificate was checked against. */
export function trustHint({ clusterEntry, file }: KubeAccess): string {
  if (file === '')
    return 'its certificate is signed by another CA than the one coe has for it: was the CA replaced meanwhile?'
  return `check the address, and "certificate-authority" of cluster "${clusterEntry}" in ${file}: that CA must have signed the certificate`
}

const usualMs = 40_000

export function makeChannel(access: KubeAccess, options: ChannelOptions): Channel {
  const title = options.title ?? `the API server of "${access.name}"`
  const { timeoutMs = usualMs } = options
  const credentials = makeCredentials(access, options)
  let made: { cert: string | undefined; endpoint: Promise<Endpoint> } | undefined

  /** A plugin may hand out another certificate; the TLS of an endpoint is fixed when it is made. */
  const endpointFor = (who: Identification): Promise<Endpoint> => {
    if (made?.cert !== who.cert || made === undefined) {
      const endpoint = makeEndpoint({
        name: title,
        url: access.server,
        tls: {
          ca: access.ca,
          cert: who.cert ?? access.cert,
          key: who.key ?? access.key,
          insecure: access.insecure,
          serverName: access.tlsServerName,
        },
        timeoutMs,
        ...(options.connectMs === undefined ? {} : { connectMs: options.connectMs }),
        ...(options.attempts === undefined ? {} : { attempts: options.attempts }),
        ...(options.repeatRefused === undefined ? {} : { repeatRefused: options.repeatRefused }),
        userAgent: options.userAgent,
        tracer: options.tracer,
        env: options.world.env,
        proxyUrl: access.proxyUrl,
        trustHint: trustHint(access),
      })
      made = { cert: who.cert, endpoint }
    }
    return made.endpoint
  }

  /** A request with refused credentials had no effect, so any request may be sent again with renewed ones. */
  async function identified<R extends { status: number }>(
    request: Request,
    send: (endpoint: Endpoint, request: Request) => Promise<R>,
  ): Promise<R> {
    for (const renew of [false, true]) {
      const who = await credentials.identify(renew, request.signal)
      const endpoint = await endpointFor(who)
      const answer = await send(endpoint, { ...request, headers: { ...request.headers, ...who.headers } })
      if (answer.status !== 401 || renew || !credentials.canRenew) return answer
      if ('body' in answer) for await (const _ of answer.body as AsyncIterable<unknown>); // frees the connection
    }
    throw new Error('unreachable')
  }

  return {
    name: access.name,
    server: access.server,
    title,
    timeoutMs,
    request: request => identified(request, (endpoint, r) => endpoint.request(r)),
    stream: (request, idleMs) => identified(request, (endpoint, r) => endpoint.stream(r, idleMs)),
  }
}
