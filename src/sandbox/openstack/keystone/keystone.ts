import { randomUUID } from 'node:crypto'
import { type Answer, type Handler, json, type Request } from '../../http.ts'
import { authenticate } from './authenticate.ts'
import type { CatalogEntry } from './catalog.ts'
import type { Directory, Project } from './directory.ts'
import { expecting, forbidden, KeystoneRefusal, refusalAnswer, unauthorized, unknownToken } from './refusals.ts'
import { tokenView } from './token-view.ts'
import type { Token, Tokens } from './tokens.ts'

export interface KeystoneState {
  directory: Directory
  tokens: Tokens
  /** Set once all listeners have their ports. */
  catalog: CatalogEntry[]
}

/** The identity service: versions, logins, tokens, and the few reads that users may do. */
export function keystoneHandler(state: KeystoneState): Handler {
  return async request => {
    const authUrl = `${request.origin}/v3`
    let answer: Answer
    try {
      answer = await route(request, state, authUrl)
    } catch (error) {
      if (!(error instanceof KeystoneRefusal)) throw error
      answer = refusalAnswer(error, authUrl)
    }
    answer.headers = { ...answer.headers, Vary: 'X-Auth-Token', 'x-openstack-request-id': `req-${randomUUID()}` }
    return answer
  }
}

async function route(request: Request, state: KeystoneState, authUrl: string): Promise<Answer> {
  const path = request.path.replace(/\/+$/, '')
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (path === '' && reads) {
    return json(300, { versions: { values: [version(authUrl)] } }, { Location: `${authUrl}/` })
  }
  if (path === '/v3' && reads) return json(200, { version: version(authUrl) })
  if (path === '/v3/auth/tokens') return tokens(request, state)
  if (path === '/v3/auth/catalog' && reads) {
    const { scope } = caller(request, state)
    if (scope.kind === 'unscoped') throw forbidden('identity:get_auth_catalog')
    return json(200, { catalog: state.catalog, links: { self: `${authUrl}/auth/catalog` } })
  }
  if (path === '/v3/auth/projects' && reads) {
    const { user } = caller(request, state)
    const projects = state.directory.projectsOf(user).map(project => projectView(project, authUrl))
    return json(200, { projects, links: { next: null, self: `${authUrl}/auth/projects`, previous: null } })
  }
  if (path === '/v3/projects' && reads) return listProjects(request, state, authUrl)
  return { status: 404, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: notFoundPage }
}

const notFoundPage = '<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n'

const version = (authUrl: string) => ({
  id: 'v3.14',
  status: 'stable',
  updated: '2020-04-07T00:00:00Z',
  links: [{ rel: 'self', href: `${authUrl}/` }],
  'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.identity-v3+json' }],
})

const projectView = (project: Project, authUrl: string) => ({
  id: project.id,
  name: project.name,
  domain_id: project.domain.id,
  description: '',
  enabled: true,
  parent_id: project.domain.id,
  is_domain: false,
  tags: [],
  options: {},
  links: { self: `${authUrl}/projects/${project.id}` },
})

function caller(request: Request, state: KeystoneState): Token {
  const token = state.tokens.valid(header(request, 'x-auth-token'))
  if (!token) throw unauthorized()
  return token
}

const header = (request: Request, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

function listProjects(request: Request, state: KeystoneState, authUrl: string): Answer {
  const { roles } = caller(request, state)
  if (!roles.some(role => role.name === 'admin')) throw forbidden('identity:list_projects')
  const name = request.query.get('name')
  const projects = state.directory.projects.filter(project => name === null || project.name === name)
  return json(200, {
    projects: projects.map(project => projectView(project, authUrl)),
    links: { next: null, self: `${authUrl}/projects`, previous: null },
  })
}

async function tokens(request: Request, state: KeystoneState): Promise<Answer> {
  if (request.method === 'POST') {
    const { what, parent } = authenticate(await readJson(request), state.directory, state.tokens)
    return withToken(201, state.tokens.issue(what, parent), request, state)
  }
  if (!['GET', 'HEAD', 'DELETE'].includes(request.method)) {
    return json(
      405,
      { message: 'The method is not allowed for the requested URL.' },
      { Allow: 'OPTIONS, HEAD, DELETE, GET, POST' },
    )
  }
  caller(request, state)
  const about = header(request, 'x-subject-token')
  if (about === undefined) throw forbidden(`identity:${request.method === 'DELETE' ? 'revoke' : 'validate'}_token`)
  const subject = state.tokens.valid(about)
  if (!subject) throw unknownToken()
  if (request.method !== 'DELETE') return withToken(200, subject, request, state)
  state.tokens.revoke(subject)
  return { status: 204 }
}

const withToken = (status: number, token: Token, request: Request, state: KeystoneState): Answer =>
  json(status, tokenView(token, request.query.has('nocatalog') ? undefined : state.catalog), {
    'X-Subject-Token': token.id,
  })

async function readJson(request: Request): Promise<unknown> {
  const text = (await request.body()).toString()
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw expecting('valid JSON', 'request body')
  }
}
