import type { Clock } from '../../../core/world.ts'
import { type Answer, type Handler, json, type Request, segments } from '../../http.ts'
import { authenticate } from '../access/authentication.ts'
import { mayAccess, mayVisit, refusal, refusedPath } from '../access/authorization.ts'
import type { TokenSigner, User } from '../access/tokens.ts'
import type { ControlPlane } from '../control-plane.ts'
import { failureStatus, KubeFailure, methodNotAllowed, notFoundPath, unavailable } from '../failure.ts'
import { idOf, type ResourceType } from '../resource-types.ts'
import type { Call } from './call.ts'
import { discovery } from './discovery.ts'
import { get, list } from './read.ts'
import { remove, removeAll } from './remove.ts'
import { type RequestInfo, readRequestInfo } from './request-info.ts'
import { requestToken, reviewKinds } from './reviews.ts'
import { scale } from './scale.ts'
import { watch } from './watch.ts'
import { create, patch, update } from './write.ts'

export interface RestOptions {
  plane: ControlPlane
  signer: TokenSigner
  staticTokens?: ReadonlyMap<string, User>
  wireClock: Clock
  /** Handles `clusters/x/proxy/…`, if the server has it. */
  proxy?: ((call: Call, rest: string[]) => Promise<Answer>) | undefined
}

/** The REST handler of a simulated API server: authenticates, authorizes and dispatches requests. */
export function restHandler(options: RestOptions): Handler {
  const { plane, signer } = options
  const staticTokens = options.staticTokens ?? new Map()
  return async request => {
    try {
      const user = authenticate(request, plane, signer, staticTokens)
      const info = readRequestInfo(request)
      return await (info.resource ? onResource(info, user, request, options) : onPath(info, user, request, plane))
    } catch (error) {
      if (!(error instanceof KubeFailure)) throw error
      const seconds = error.details?.retryAfterSeconds
      return json(error.code, failureStatus(error), seconds ? { 'Retry-After': String(seconds) } : {})
    }
  }
}

function onPath(info: RequestInfo, user: User, request: Request, plane: ControlPlane): Answer {
  if (!mayVisit(plane, user, info.verb, info.path)) throw refusedPath(user, info.verb, info.path)
  const parts = segments(info.path)
  const [first] = parts
  if (first === 'api' || first === 'apis') {
    try {
      return discovery(plane, request, parts)
    } catch (error) {
      // an unknown group gets the mux's plain page rather than an API's "not found"
      if (error instanceof KubeFailure && error.code === 404) return text(404, '404 page not found\n')
      throw error
    }
  }
  if (first === 'version') {
    const version = { ...plane.version, gitCommit: 'sandbox', gitTreeState: 'clean', buildDate: '2025-01-01T00:00:00Z' }
    return json(200, { ...version, goVersion: 'go1.24', compiler: 'gc', platform: 'linux/amd64' })
  }
  if (first === 'healthz' || first === 'livez' || first === 'readyz') return text(200, 'ok')
  if (parts.length === 0) return json(200, { paths: ['/api', '/apis', '/healthz', '/livez', '/readyz', '/version'] })
  return text(404, '404 page not found\n')
}

const text = (status: number, body: string): Answer => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body,
})

async function onResource(info: RequestInfo, user: User, request: Request, options: RestOptions): Promise<Answer> {
  const { plane } = options
  const target = info.resource as NonNullable<RequestInfo['resource']>
  const { group, version, plural, subresource, name } = target
  const type = plane.types.find(group, version, plural)
  // a role in namespace x may grant rights over `namespaces/x` itself
  const namespace = target.namespace
  const wanted = {
    verb: info.verb,
    group,
    resource: subresource ? `${plural}/${subresource}` : plural,
    namespace: namespace ?? (plural === 'namespaces' && group === '' ? name : undefined),
    name: name ?? onlyName(info.verb, request),
  }
  if (!mayAccess(plane, user, wanted)) {
    const shown = type ?? ({ plural, group, kind: plural } as ResourceType)
    throw refusal(user, shown, wanted)
  }
  const behind = plane.aggregated.get(`${group}/${version}`)?.()
  if (behind === 'unavailable') throw unavailable()
  if (!type || behind === 'absent') {
    if (!plane.types.all().some(t => t.group === group && t.version === version) || behind === 'absent') {
      return text(404, '404 page not found\n')
    }
    throw notFoundPath()
  }
  const call: Call = { ...options, user, request, type, verb: info.verb, namespace, name, subresource }
  if (subresource === 'proxy' && options.proxy) return options.proxy(call, target.rest)
  return dispatch(call)
}

/** Nothing runs in the pods, so a log only holds the reason why the program ended. */
function lastWords({ body }: Answer): string {
  const message = JSON.parse(String(body)).status?.containerStatuses?.[0]?.lastState?.terminated?.message
  return message ? `${message}\n` : ''
}

/** Rights over one name also allow a list or watch that is limited to that name. */
const onlyName = (verb: string, { query }: Request): string | undefined =>
  verb === 'list' || verb === 'watch'
    ? /^metadata\.name==?([^,!=]+)$/.exec(query.get('fieldSelector') ?? '')?.[1]
    : undefined

async function dispatch(call: Call): Promise<Answer> {
  const { type, verb, subresource, name } = call
  const id = idOf(type)
  const review = reviewKinds[id]
  if (review) {
    if (verb === 'create') return review(call)
    throw methodNotAllowed()
  }
  if (type.namespaced && call.namespace === undefined && !['list', 'watch'].includes(verb)) throw methodNotAllowed()
  if (verb === 'deletecollection' && !type.verbs.includes(verb)) throw methodNotAllowed()
  if (subresource) {
    if (!type.subresources.includes(subresource)) throw notFoundPath()
    if (subresource === 'token') {
      if (verb !== 'create') throw methodNotAllowed()
      return requestToken(call)
    }
    if (subresource === 'scale') return scale(call)
    if (subresource === 'log') return text(200, lastWords(get(call)))
  }
  switch (verb) {
    case 'get':
      return get(call)
    case 'list':
      return list(call)
    case 'watch':
      return watch(call)
    case 'create':
      if (name) throw methodNotAllowed()
      return create(call)
    case 'update':
      if (!name) throw methodNotAllowed()
      return update(call)
    case 'patch':
      if (!name) throw methodNotAllowed()
      return patch(call)
    case 'delete':
      return remove(call)
    case 'deletecollection':
      return removeAll(call)
    default:
      throw methodNotAllowed()
  }
}
