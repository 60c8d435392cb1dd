import type { Directory, Project, Role, User } from './directory.ts'
import { findNamed } from './directory.ts'
import { expecting, forbidden, unauthorized, unknownToken } from './refusals.ts'
import type { Scope, Token, Tokens } from './tokens.ts'

type Loose = Record<string, unknown>
type New = Parameters<Tokens['issue']>[0]

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Checks the request of a POST to /v3/auth/tokens against the directory. Throws Keystone's refusals. */
export function authenticate(body: unknown, directory: Directory, tokens: Tokens): { what: New; parent?: Token } {
  const auth = isObject(body) ? body.auth : undefined
  if (!isObject(auth)) throw expecting('auth', 'request body')
  const { identity } = auth
  if (!isObject(identity)) throw expecting('identity', 'auth')
  const methods = Array.isArray(identity.methods) ? identity.methods.map(String) : []
  const method = methods[0]
  if (method === undefined) throw unauthorized()
  if (!['password', 'token', 'application_credential'].includes(method)) {
    throw unauthorized('Attempted to authenticate with an unsupported method.', {
      identity: { methods: ['external', 'password', 'token', 'oauth1', 'mapped', 'application_credential'] },
    })
  }
  const credentials = identity[method]
  if (!isObject(credentials)) throw expecting(method, 'identity')

  if (method === 'application_credential') return { what: byApplicationCredential(credentials, auth.scope, directory) }
  if (method === 'token') {
    const parent = tokens.valid(String(credentials.id))
    if (!parent) throw unknownToken()
    // a delegation cannot be rescoped; the second full stop is Keystone's own
    if (parent.applicationCredential || parent.scope.kind === 'trust') {
      throw forbidden('Using a delegated token to create another token is not allowed.')
    }
    const scoped = scopeFor(parent.user, auth.scope, directory)
    return { what: { user: parent.user, methods: ['token', ...parent.methods], ...scoped }, parent }
  }
  const user = isObject(credentials.user) ? findNamed(directory.users, credentials.user) : undefined
  if (!user || user.password !== (credentials.user as Loose).password) throw unauthorized()
  return { what: { user, methods: ['password'], ...scopeFor(user, auth.scope, directory) } }
}

function byApplicationCredential(credentials: Loose, scope: unknown, directory: Directory): New {
  const credential = directory.applicationCredentials.find(known => {
    if (credentials.id !== undefined) return known.id === credentials.id
    const owner = isObject(credentials.user) ? findNamed(directory.users, credentials.user) : undefined
    return known.name === credentials.name && known.user === owner
  })
  if (!credential || credential.secret !== credentials.secret) throw unauthorized()
  if (scope !== undefined) {
    const why = 'Application credentials cannot request a scope.'
    throw unauthorized(`Error authenticating with application credential: ${why}`, { identity: {} })
  }
  return {
    user: credential.user,
    methods: ['application_credential'],
    scope: { kind: 'project', project: credential.project },
    roles: credential.roles.map(name => directory.roles[name]),
    applicationCredential: credential,
  }
}

type Scoped = { scope: Scope; roles: Role[]; applicationCredential: undefined }

function scopeFor(user: User, requested: unknown, directory: Directory): Scoped {
  const found = (scope: Scope, roles: Role[]): Scoped => ({ scope, roles, applicationCredential: undefined })
  const inProject = (project: Project | undefined): Scoped => {
    const roles = project ? directory.rolesOf(user, project) : []
    if (!project || !roles.length) throw unauthorized()
    return found({ kind: 'project', project }, roles)
  }
  if (requested === 'unscoped') return found({ kind: 'unscoped' }, [])
  if (requested === undefined)
    return user.defaultProject ? inProject(user.defaultProject) : found({ kind: 'unscoped' }, [])
  const kinds = isObject(requested) ? Object.keys(requested) : []
  if (kinds.length !== 1 || !isObject(requested)) {
    throw expecting('system, project, domain, OS-TRUST:trust or unscoped', 'scope')
  }
  const { project, domain, system } = requested
  const requestedTrust = requested['OS-TRUST:trust']
  if (isObject(project)) {
    if (project.id === undefined && !isObject(project.domain)) throw expecting('domain', 'project')
    return inProject(findNamed(directory.projects, project))
  }
  if (isObject(domain)) {
    const place = directory.domains.find(known => (domain.id ? known.id === domain.id : known.name === domain.name))
    const roles = place ? directory.rolesOf(user, place) : []
    if (!place || !roles.length) throw unauthorized()
    return found({ kind: 'domain', domain: place }, roles)
  }
  if (isObject(system)) {
    const roles = directory.rolesOf(user, 'system')
    if (!roles.length || system.all !== true) throw unauthorized()
    return found({ kind: 'system' }, roles)
  }
  if (isObject(requestedTrust)) {
    const trust = directory.trusts.find(known => known.id === requestedTrust.id)
    if (!trust || trust.trustee !== user) throw unauthorized()
    return found(
      { kind: 'trust', trust, project: trust.project },
      trust.roles.map(name => directory.roles[name]),
    )
  }
  throw expecting('system, project, domain, OS-TRUST:trust or unscoped', 'scope')
}
