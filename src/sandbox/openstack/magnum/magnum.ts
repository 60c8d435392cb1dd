import { randomUUID } from 'node:crypto'
import { type Answer, type Handler, json, type Request } from '../../http.ts'
import type { Tokens } from '../keystone/tokens.ts'
import type { Call, MagnumState } from './context.ts'
import { rootDocument, v1Document } from './discovery.ts'
import { notUuid } from './listing.ts'
import { framework, MagnumRefusal, magnumAnswer } from './refusals.ts'
import { route } from './routes.ts'
import { negotiate, versionHeaders } from './versions.ts'

export interface MagnumOptions {
  state: MagnumState
  tokens: Tokens
  /** For 401 answers, which come from Keystone's middleware. */
  authUrl: () => string
}

const header = (request: Request, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Magnum's front end: middleware, version negotiation, routing, and errors in the format of the layer that made them. */
export function magnumHandler(options: MagnumOptions): Handler {
  return async request => {
    const answer = await answerTo(request, options)
    answer.headers = { ...answer.headers, 'x-openstack-request-id': `req-${randomUUID()}` }
    return answer
  }
}

async function answerTo(request: Request, { state, tokens, authUrl }: MagnumOptions): Promise<Answer> {
  const parts = segments(request.path)
  if (!parts.length && request.method === 'GET') return rootDocument(request, state.release)
  if (parts[0] === 'healthcheck') return json(200, { detailed: false, reasons: ['OK'] })
  const isDiscovery = parts.length === 1 && parts[0] === 'v1' && request.method === 'GET'
  const token = tokens.valid(header(request, 'x-auth-token'))
  if (!token && !isDiscovery) {
    const message = 'The request you have made requires authentication.'
    const error = { code: 401, title: 'Unauthorized', message }
    return json(401, { error }, { 'WWW-Authenticate': `Keystone uri="${authUrl()}"` })
  }
  let spoken: number | undefined
  try {
    const accept = header(request, 'accept') ?? '*/*'
    if (!/json|\*/.test(accept)) throw new MagnumRefusal(406, '', '', '')
    const negotiated = negotiate(header(request, 'openstack-api-version'), state.release)
    if ('answer' in negotiated) return negotiated.answer
    spoken = negotiated.minor
    if (isDiscovery || !token) return withVersion(json(200, v1Document(request, state.release)), state, spoken)
    const { scope } = token
    const call: Call = {
      state,
      request,
      token,
      minor: spoken,
      projectId: scope.kind === 'project' || scope.kind === 'trust' ? scope.project.id : null,
      userId: token.user.id,
      isAdmin: token.roles.some(role => role.name === 'admin'),
    }
    return withVersion(await route(call, resourceOf(parts)), state, spoken)
  } catch (error) {
    if (!(error instanceof MagnumRefusal)) throw error
    const answer = magnumAnswer(error)
    return error.code === '' || spoken === undefined ? answer : withVersion(answer, state, spoken)
  }
}

function withVersion(answer: Answer, state: MagnumState, minor: number): Answer {
  return { ...answer, headers: { ...versionHeaders(state.release, `1.${minor}`), ...answer.headers } }
}

/** Decodes the path before splitting it, as Magnum does: even an escaped slash in a name splits it. */
function segments(path: string): string[] {
  let decoded = path
  try {
    decoded = decodeURIComponent(path)
  } catch {
    // a malformed escape stays unchanged
  }
  return decoded.split('/').filter(part => part !== '')
}

/** `/clusters` is the same as `/v1/clusters`. Magnum takes another version's number for a marker. */
function resourceOf([first = '', ...rest]: string[]): string[] {
  if (first === 'v1') return rest
  if (/^v\d+$/.test(first)) throw rest.length ? notUuid(first) : framework(404)
  return [first, ...rest]
}
