/** ClusterApi over a channel: each verb is a few lines, since the API is the same for every kind. */
import type { CoeError } from '../../core/errors.ts'
import type { Shape } from '../../core/shape.ts'
import { shareWork } from '../../core/shared-work.ts'
import type { Clock } from '../../core/world.ts'
import { readAnswer } from '../../http/answer.ts'
import type { Request, Response } from '../../http/transport.ts'
import { canI, identity, serverVersion, whoami } from '../api/about.ts'
import { applyObject } from '../api/apply.ts'
import { createObject, deleteObject, deleteSelected, patchObject, updateObject } from '../api/change.ts'
import type { Channel } from '../api/channel.ts'
import type { ClusterApi, RequestLimits } from '../api/cluster-api.ts'
import { type Discovery, makeDiscovery, type ResourceList } from '../api/discovery.ts'
import { kubeError } from '../api/errors.ts'
import { getObject, listObjects, podLogs } from '../api/read.ts'
import { kindsShape } from '../api/shapes.ts'
import { watchObjects } from '../waiting/watch.ts'

/** What each verb of the API needs. */
export interface Wire {
  channel: Channel
  discovery: Discovery
  clock: Clock
  /** Returns the answer if its status is below 300 or in `accept`; otherwise throws the refusal. */
  call(request: Request, doing: string, accept?: readonly number[]): Promise<Response>
  /** The parsed body, checked against the fields that coe relies on; it may have more. */
  json<T>(response: Response, shape: Shape): T
  error(response: Pick<Response, 'status' | 'text' | 'headers'>, doing: string): CoeError
}

export function makeCluster(channel: Channel, options: { clock: Clock; namespace: string }): ClusterApi {
  const wire = makeWire(channel, options.clock)
  const version = cached(limits => serverVersion(wire, limits))
  const uid = cached(limits => identity(wire, limits))
  return {
    name: channel.name,
    server: channel.server,
    namespace: options.namespace,
    get: (ref, limits) => getObject(wire, ref, limits),
    exists: async (ref, limits) => (await getObject(wire, ref, limits)) !== undefined,
    list: (kind, selection) => listObjects(wire, kind, selection),
    create: (object, write) => createObject(wire, object, write),
    apply: (object, apply) => applyObject(wire, object, apply),
    update: (object, update) => updateObject(wire, object, update),
    patch: (ref, patch, how) => patchObject(wire, ref, patch, how),
    delete: (ref, how) => deleteObject(wire, ref, how),
    deleteAll: (kind, selection) => deleteSelected(wire, kind, selection),
    watch: (kind, watch) => watchObjects(wire, kind, watch),
    logs: (pod, which) => podLogs(wire, pod, which),
    version,
    whoami: limits => whoami(wire, limits),
    canI: (questions, limits) => canI(wire, questions, limits),
    identity: uid,
    learn: kinds => wire.discovery.learn(kinds),
    serves: (kind, limits) => wire.discovery.serves(kind, limits?.signal),
    raw: request => channel.request(request),
  }
}

/** Keeps an answer that stays the same as long as the connection lasts. A failure is not kept: the next call asks the server again. */
function cached<T>(ask: (limits: RequestLimits) => Promise<T>): (limits?: RequestLimits) => Promise<T> {
  let known: { answer: T } | undefined
  const asking = shareWork((signal, limits: RequestLimits) => ask({ ...limits, signal }))
  return async (limits = {}) => {
    known ??= { answer: await asking(limits.signal, limits) }
    return known.answer
  }
}

function makeWire(channel: Channel, clock: Clock): Wire {
  const error: Wire['error'] = (response, doing) => kubeError(response, { server: channel.title, doing })
  const json: Wire['json'] = (response, shape) =>
    readAnswer(response, { name: channel.title, url: channel.server }, shape)
  const ask = async (path: string, signal: AbortSignal | undefined): Promise<ResourceList | undefined> => {
    const response = await channel.request({ method: 'GET', path, signal })
    if (response.status === 404) return undefined
    if (response.status >= 300) throw error(response, `list the kinds of ${path}`)
    return json<ResourceList>(response, kindsShape)
  }
  return {
    channel,
    clock,
    discovery: makeDiscovery(channel.title, ask),
    async call(request, doing, accept = []) {
      const response = await channel.request(request)
      if (response.status >= 300 && !accept.includes(response.status)) throw error(response, doing)
      return response
    },
    json,
    error,
  }
}
