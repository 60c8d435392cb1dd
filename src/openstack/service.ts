/** A client of Magnum's API: token, microversion, and errors; what the resources are is in magnum-api/. */

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
  /** The token in force; with `fresh` a new one. */
  token(fresh: boolean, signal: AbortSignal): Promise<string | undefined>
  canRenew: boolean
  /** By the catalog that came with the newest token: the one of an earlier run may be older than the service's address. */
  placeNow?(signal: AbortSignal): Promise<Endpoint>
  /** Another place than the one that was not reached, if a newer catalog names one. */
  otherPlace?(signal: AbortSignal): Promise<Endpoint | undefined>
  /** What to do when the token in force is refused for good; the login says. */
  refusedHint?: string | undefined
  /** Asked for by the user: sent with every request. */
  version?: string | undefined
}

export interface Call extends Request {
  /** The oldest microversion that knows what is asked. Nothing is sent where every server does. */
  needs?: string
  /** Statuses that are no error to the caller. */
  accept?: readonly number[]
  /** What of the answer is used; an object when absent. */
  expects?: Shape
}

const anyObject = object({})
/** Of a service that no call has for itself: see endedBy. */
const endless = new AbortController().signal
setMaxListeners(0, endless)

export interface Service {
  readonly url: string
  /** Ends its requests, and should end what is done between them. */
  readonly signal: AbortSignal
  /** The answer, if its status is a good one; else an error. */
  call(call: Call): Promise<Response>
  /** The same, its body read as JSON of the shape that the call expects. */
  json<T>(call: Call): Promise<T>
}

/** The same service; its requests end with this, too. */
export const endedBy = (service: Service, signal: AbortSignal): Service => ({
  url: service.url,
  signal,
  call: call => service.call({ signal, ...call }),
  json: call => service.json({ signal, ...call }),
})

export function makeService(settings: ServiceSettings): Service {
  let { endpoint } = settings
  const peer = () => ({ name: endpoint.name, url: endpoint.url })

  async function send(call: Call, fresh: boolean): Promise<Response> {
    const signal = call.signal ?? endless
    const token = await settings.token(fresh, signal)
    if (fresh && settings.placeNow) endpoint = await settings.placeNow(signal)
    const version = settings.version ?? call.needs
    signal.throwIfAborted()
    const sent = endpoint.request({
      ...call,
      signal,
      headers: {
        ...(token ? { 'x-auth-token': token } : {}),
        // this name is the one that servers of all ages know
        ...(version ? { 'openstack-api-version': `container-infra ${version}` } : {}),
        ...call.headers,
      },
    })
    return sent.catch((error: unknown) => {
      throw signal.aborted && isStop(signal.reason) ? stoppedUnderWay(call, signal.reason) : error
    })
  }

  async function call(call: Call): Promise<Response> {
    let response = await send(call, false).catch(async (error: unknown) => {
      const other = unreached(error) ? await settings.otherPlace?.(call.signal ?? endless) : undefined
      if (other === undefined) throw error
      endpoint = other
      return send(call, false)
    })
    // A 401 refuses before anything is done, so even a POST may be sent again.
    if (response.status === 401 && settings.canRenew) response = await send(call, true)
    if (response.status < 300 || call.accept?.includes(response.status)) return response
    const asked = settings.version === undefined ? {} : { asked: settings.version }
    throw apiError(response, { ...peer(), wanted: call.needs, ...asked, refusedHint: settings.refusedHint })
  }

  return {
    get url() {
      return endpoint.url
    },
    signal: endless,
    call,
    async json<T>(request: Call) {
      const response = await call(request)
      return readAnswer<T>(response, peer(), request.expects ?? anyObject)
    },
  }
}

/** Nothing was heard of the server at all, so nothing was done. */
const unreached = (error: unknown): boolean => error instanceof CoeError && neverSent(error.details.code)
