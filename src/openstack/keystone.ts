/** What coe asks Keystone: a token with one POST (v3 is found below the auth URL), and about tokens and projects. */
import { type CoeError, denied, failed, usage } from '../core/errors.ts'
import { type Advice, nextStep } from '../core/next-step.ts'
import { list, nullable, object, text } from '../core/shape.ts'
import { parseJson, readAnswer, unexpected } from '../http/answer.ts'
import { shownUrl } from '../http/failure.ts'
import type { Endpoint, Response } from '../http/transport.ts'
import { apiError, parseError } from './api-error.ts'
import type { AuthRequest } from './auth-request.ts'
import { type CatalogService, date, type Identity, isTokenText, named } from './identity.ts'
import { v3Of } from './keystone-versions.ts'

interface TokenBody {
  token?: {
    expires_at?: string | null
    issued_at?: string | null
    project?: { id: string; name: string } | null
    user?: { id: string; name: string } | null
    roles?: { name: string }[] | null
    catalog?:
      | {
          type: string
          name?: string | null
          endpoints: { interface: string; region_id?: string | null; region?: string | null; url: string }[]
        }[]
      | null
  }
}

const optionalText = nullable(text)
const endpointShape = object({ interface: text, url: text }, { region_id: optionalText, region: optionalText })
const tokenShape = object({
  token: object(
    {},
    {
      expires_at: nullable(date),
      issued_at: nullable(date),
      project: nullable(named),
      user: nullable(named),
      roles: nullable(list(object({ name: text }))),
      catalog: nullable(list(object({ type: text, endpoints: list(endpointShape) }, { name: optionalText }))),
    },
  ),
})

/** The likely path of v3. Most auth URLs end in it, and discovery would cost an extra request each time. */
export function v3Path(authUrl: string): string {
  const path = new URL(authUrl).pathname.replace(/\/+$/, '')
  return path.endsWith('/v3') ? '' : path.endsWith('/v2.0') ? '/../v3' : '/v3'
}

export async function requestToken(endpoint: Endpoint, request: AuthRequest, signal: AbortSignal): Promise<Identity> {
  let prefix = v3Path(endpoint.url)
  let response = await post(endpoint, prefix, request, signal)
  if (response.status === 404) {
    const found = await discover(endpoint, signal)
    if (found !== undefined && found !== prefix) {
      prefix = found
      response = await post(endpoint, prefix, request, signal)
    }
  }
  return readToken(endpoint, response, request)
}

const post = (endpoint: Endpoint, prefix: string, request: AuthRequest, signal: AbortSignal): Promise<Response> =>
  endpoint.request({
    method: 'POST',
    path: `${prefix}/auth/tokens`,
    body: request.body,
    ...(request.headers ? { headers: request.headers } : {}),
    signal,
    repeatable: true, // a second token does no harm
  })

/**
 * The path of v3 below the auth URL, from the version document. Ignores the document's host, which is often wrong
 * behind proxies.
 */
async function discover(endpoint: Endpoint, signal: AbortSignal): Promise<string | undefined> {
  const response = await endpoint.request({ method: 'GET', path: '/', signal })
  if (response.status !== 200 && response.status !== 300) return undefined
  const href = v3Of(response.text)?.links?.find(l => l.rel === 'self')?.href
  if (!href || !URL.canParse(href, endpoint.url)) return undefined
  const base = new URL(endpoint.url).pathname.replace(/\/+$/, '')
  const path = new URL(href, endpoint.url).pathname.replace(/\/+$/, '')
  return path.startsWith(base) ? path.slice(base.length) : undefined
}

function readToken(endpoint: Endpoint, response: Response, request: AuthRequest): Identity {
  const byToken = request.headers?.['x-auth-token'] !== undefined
  if (response.status === 401) throw refused(endpoint, response, byToken)
  if (response.status >= 300 && response.status < 400) throw notKeystone(endpoint, response)
  const peer = { name: endpoint.name, url: endpoint.url }
  if (response.status !== 201 && response.status !== 200) {
    // Keystone's answer to an unknown token
    if (byToken && response.status === 404 && parseError(response.text)) throw refused(endpoint, response, byToken)
    if (response.status === 404 || response.status === 405) throw notKeystone(endpoint, response)
    throw apiError(response, peer)
  }
  const token = response.headers['x-subject-token']
  const parsed = parseJson(response, peer) as TokenBody | null
  if (!token || !isTokenText(token) || !parsed?.token) throw notKeystone(endpoint, response)
  const mismatch = tokenShape(parsed)
  if (mismatch) throw unexpected(response, peer, mismatch)
  const body = parsed.token
  return {
    token,
    ...(body.expires_at ? { expiresAt: body.expires_at } : {}),
    ...(body.issued_at ? { issuedAt: body.issued_at } : {}),
    ...(body.project ? { project: { id: body.project.id, name: body.project.name } } : {}),
    ...(body.user ? { user: { id: body.user.id, name: body.user.name } } : {}),
    roles: (body.roles ?? []).map(r => r.name),
    catalog: (body.catalog ?? []).map(
      (s): CatalogService => ({
        type: s.type,
        name: s.name ?? '',
        endpoints: s.endpoints.map(e => ({
          interface: e.interface,
          region: e.region_id ?? e.region ?? null,
          url: e.url,
        })),
      }),
    ),
  }
}

const otherCredentials = {
  hint: 'check user, password, domain and project',
  next: [nextStep('see where each comes from', 'config view', { option: 'origin' })],
}
const otherToken = {
  hint: 'the token has expired, was revoked, or is not for this cloud',
  next: [nextStep('see where it comes from', 'config view', { option: 'origin' })],
}

function refused(endpoint: Endpoint, response: Response, byToken: boolean): CoeError {
  if (response.headers['openstack-auth-receipt']) {
    return usage('Keystone requires a second factor, which coe does not support', {
      hint: 'use an application credential instead',
    })
  }
  const error = apiError(response, { name: endpoint.name, url: endpoint.url })
  return denied(
    `Keystone refused the credentials: ${error.details.reason ?? 'authentication failed'} (${shownUrl(endpoint.url)})`,
    {
      ...(elsewhere(endpoint, response) ?? (byToken ? otherToken : otherCredentials)),
      details: error.details,
    },
  )
}

/** Each service's refusal names its Keystone. A refusal that names another address than ours comes from another service. */
function elsewhere(endpoint: Endpoint, response: Response): Advice | undefined {
  const named = /Keystone uri="([^"]+)"/i.exec(response.headers['www-authenticate'] ?? '')?.[1]
  if (named === undefined || !URL.canParse(named) || new URL(named).host === new URL(endpoint.url).host)
    return undefined
  return { hint: `is this Keystone? The answer says that Keystone is at ${shownUrl(named)}` }
}

const notKeystone = (endpoint: Endpoint, response: Response): CoeError =>
  failed(`${shownUrl(endpoint.url)} is not a Keystone v3 API (it answered HTTP ${response.status})`, {
    hint: 'OS_AUTH_URL (auth_url in clouds.yaml) should look like https://keystone.example.com:5000/v3',
    details: { status: response.status, service: 'keystone' },
  })

/** Whether a token is still valid. */
export async function isValid(endpoint: Endpoint, token: string, signal: AbortSignal | undefined): Promise<boolean> {
  const response = await endpoint.request({
    method: 'GET',
    path: `${v3Path(endpoint.url)}/auth/tokens`,
    query: { nocatalog: '' },
    headers: { 'x-auth-token': token, 'x-subject-token': token },
    signal,
  })
  if (response.status < 300) return true
  if (response.status === 401 || response.status === 404) return false
  throw apiError(response, { name: endpoint.name, url: endpoint.url })
}

export async function revokeToken(endpoint: Endpoint, token: string, signal: AbortSignal | undefined): Promise<void> {
  const response = await endpoint.request({
    method: 'DELETE',
    path: `${v3Path(endpoint.url)}/auth/tokens`,
    headers: { 'x-auth-token': token, 'x-subject-token': token },
    signal,
  })
  // 401 and 404: the token is invalid already
  if (response.status >= 300 && response.status !== 404 && response.status !== 401) {
    throw apiError(response, { name: endpoint.name, url: endpoint.url })
  }
}

export interface NamedProject {
  id: string
  name: string
  domain_id: string | null
}

const projectList = object({ projects: list(object({ id: text, name: text }, { domain_id: nullable(text) })) })

/** Most clouds let only administrators find projects by name. */
export async function projectsNamed(
  endpoint: Endpoint,
  token: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<NamedProject[]> {
  const response = await endpoint.request({
    method: 'GET',
    path: `${v3Path(endpoint.url)}/projects`,
    query: { name },
    headers: { 'x-auth-token': token },
    signal,
  })
  const peer = { name: endpoint.name, url: endpoint.url }
  if (response.status >= 300) throw apiError(response, peer)
  return readAnswer<{ projects: NamedProject[] }>(response, peer, projectList).projects
}
