/** A client of Magnum's API: token, microversion and errors. The resources are in magnum-api/. */

import { setMaxListeners } from 'node:events'
import { CoeError, isStop } from '../core/errors.ts'
import { neverSent } from '../core/failed-request.ts'
import { object, type Shape } from '../core/shape.ts'
import { readAnswer } from '../http/answer.ts'
import type { Endpoint, Request, Response } from '../http/transport.ts'
import { apiError } from './api-error.ts'
import { stoppedUnderWay } from './under-way.ts'

export interface ServiceSettings {
  endpoint: Endpoint
  /** The current token; with `renew` a new one. */
  token(renew: boolean, signal: AbortSignal): Promise<string | undefined>
  canRenew: boolean
  /** The endpoint in the newest token's catalog. The catalog of an earlier run may have an old address. */
  currentEndpoint?(signal: AbortSignal): Promise<Endpoint>
  /** The endpoint in a newer catalog, if it differs from the one that was not reached. */
  newerEndpoint?(signal: AbortSignal): Promise<Endpoint | undefined>
  /** The hint when the token is refused for good; it depends on the kind of login. */
  refusedHint?: string | undefined
  /** The version that the user requested, sent with every request. */
  version?: string | undefined
}

export interface ServiceRequest extends Request {
  /** The oldest microversion that supports the request. Absent if every server does. */
  needs?: string
  /** Error statuses that the caller accepts. */
  accept?: readonly number[]
  /** The parts of the answer that are used; by default any object. */
  expects?: Shape
}

const anyObject = object({})
/** The signal of a service that is not bound to a call; see endedBy. */
const endless = new AbortController().signal
setMaxListeners(0, endless)

export interface Service {
  readonly url: string
  /** Ends its requests; callers should also end their work between requests. */
  readonly signal: AbortSignal
  /** The answer if its status is a success or accepted, else an error. */
  call(request: ServiceRequest): Promise<Response>
  /** The body as JSON of the shape that the call expects. */
  json<T>(request: ServiceRequest): Promise<T>
}

/** The same service, whose requests also end with this signal. */
export const endedBy = (service: Service, signal: AbortSignal): Service => ({
  url: service.url,
  signal,
  call: request => service.call({ signal, ...request }),
  json: request => service.json({ signal, ...request }),
})

export function makeService(settings: ServiceSettings): Service {
  let { endpoint } = settings
  const peer = () => ({ name: endpoint.name, url: endpoint.url })

  async function send(request: ServiceRequest, renew: boolean): Promise<Response> {
    const signal = request.signal ?? endless
    const token = await settings.token(renew, signal)
    if (renew && settings.currentEndpoint) endpoint = await settings.currentEndpoint(signal)
    const version = settings.version ?? request.needs
    signal.throwIfAborted()
    const sent = endpoint.request({
      ...request,
      signal,
      headers: {
        ...(token ? { 'x-auth-token': token } : {}),
        // servers of all releases support this name
        ...(version ? { 'openstack-api-version': `container-infra ${version}` } : {}),
        ...request.headers,
      },
    })
    return sent.catch((error: unknown) => {
      throw signal.aborted && isStop(signal.reason) ? stoppedUnderWay(request, signal.reason) : error
    })
  }

  async function call(request: ServiceRequest): Promise<Response> {
    let response = await send(request, false).catch(async (error: unknown) => {
      const other = unreached(error) ? await settings.newerEndpoint?.(request.signal ?? endless) : undefined
      if (other === undefined) throw error
      endpoint = other
      return send(request, false)
    })
    // A 401 refuses before anything is done, so even a POST may be sent again.
    if (response.status === 401 && settings.canRenew) response = await send(request, true)
    if (response.status < 300 || request.accept?.includes(response.status)) return response
    const requested = settings.version === undefined ? {} : { requested: settings.version }
    throw apiError(response, { ...peer(), needed: request.needs, ...requested, refusedHint: settings.refusedHint })
  }

  return {
    get url() {
      return endpoint.url
    },
    signal: endless,
    call,
    async json<T>(request: ServiceRequest) {
      const response = await call(request)
      return readAnswer<T>(response, peer(), request.expects ?? anyObject)
    },
  }
}

/** The server was not reached, so nothing was done. */
const unreached = (error: unknown): boolean => error instanceof CoeError && neverSent(error.details.code)
