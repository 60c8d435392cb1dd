/** The body of POST /v3/auth/tokens for each kind of login, with the requested scope. */

import type { CloudConfig } from '../config/clouds/clouds.ts'
import { type LoginName, loginKinds } from '../config/clouds/login-kinds.ts'
import { usage } from '../core/errors.ts'
import { nextStep } from '../core/next-step.ts'

export interface AuthRequest {
  body: { auth: { identity: Record<string, unknown>; scope?: unknown } }
  headers?: Record<string, string>
}

type Auth = Readonly<Record<string, string | undefined>>

/** The type of login: the configured one, else the one that the parameters imply. */
export function authType(cloud: CloudConfig): string {
  const configured = cloud.auth_type
  const { auth } = cloud
  if (configured && configured !== 'password') return configured === 'None' ? 'none' : configured
  if (auth.application_credential_secret && !auth.password) return 'v3applicationcredential'
  if (auth.token && !auth.password && !auth.username && !auth.user_id) {
    return cloud.endpointOverride || auth.endpoint ? 'admin_token' : 'token'
  }
  return 'password'
}

type Asking = { [K in LoginName]: (typeof loginKinds)[K]['token'] extends 'issued' ? K : never }[LoginName]

const byPassword = (auth: Auth): AuthRequest =>
  identified({ methods: ['password'], password: { user: userOf(auth, { password: auth.password }) } }, scopeOf(auth))

function byToken(auth: Auth): AuthRequest {
  const { token } = auth
  const scope = scopeOf(auth)
  if (!token) throw missing('a token', '--os-token (OS_TOKEN)')
  return { ...identified({ methods: ['token'], token: { id: token } }, scope), headers: { 'x-auth-token': token } }
}

/** Keystone refuses any scope here: the credential has its own, so OS_PROJECT_* is ignored. */
const byApplicationCredential = (auth: Auth): AuthRequest =>
  identified({ methods: ['application_credential'], application_credential: applicationCredential(auth) }, undefined)

/** One for each kind of login that asks Keystone. */
const requests: Record<Asking, (auth: Auth) => AuthRequest> = {
  password: byPassword,
  v3password: byPassword,
  token: byToken,
  v3token: byToken,
  v3applicationcredential: byApplicationCredential,
}

const identified = (identity: Record<string, unknown>, scope: unknown): AuthRequest => ({
  body: { auth: { identity, ...(scope === undefined ? {} : { scope }) } },
})

export function authRequest(type: string, auth: Auth): AuthRequest {
  const request = Object.hasOwn(requests, type) ? requests[type as Asking] : undefined
  if (request) return request(auth)
  throw usage(`the auth type "${type}" is not supported`, {
    hint: `use one of ${Object.keys(loginKinds).join(', ')}: an application credential serves users of single sign-on (openstack application credential create)`,
  })
}

function userOf(auth: Auth, secret: Record<string, unknown>): Record<string, unknown> {
  if (auth.user_id) return { id: auth.user_id, ...secret }
  if (!auth.username) throw missing('a user name', '--os-username (OS_USERNAME)')
  return { name: auth.username, domain: domainOf(auth, 'user'), ...secret }
}

/** OSC's rule: without a domain, the one with the id `default`. */
function domainOf(auth: Auth, of: 'user' | 'project'): { id: string } | { name: string } {
  const id = auth[`${of}_domain_id`]
  const name = auth[`${of}_domain_name`]
  if (id) return { id }
  if (name) return { name }
  if (auth.default_domain_id) return { id: auth.default_domain_id }
  if (auth.default_domain_name) return { name: auth.default_domain_name }
  return { id: 'default' }
}

function applicationCredential(auth: Auth): Record<string, unknown> {
  const secret = auth.application_credential_secret
  if (!secret)
    throw missing(
      'the secret of the application credential',
      '--os-application-credential-secret (OS_APPLICATION_CREDENTIAL_SECRET)',
    )
  if (auth.application_credential_id) return { id: auth.application_credential_id, secret }
  if (!auth.application_credential_name)
    throw missing('an application credential', '--os-application-credential-id (OS_APPLICATION_CREDENTIAL_ID)')
  return { name: auth.application_credential_name, secret, user: userOf(auth, {}) }
}

/** Exactly one kind of scope, or none. */
function scopeOf(auth: Auth): unknown {
  const kinds: [string, unknown][] = []
  if (auth.project_id || auth.project_name) {
    const project = auth.project_id
      ? { id: auth.project_id }
      : { name: auth.project_name, domain: domainOf(auth, 'project') }
    kinds.push(['project', { project }])
  } else if (auth.domain_id || auth.domain_name) {
    kinds.push(['domain', { domain: auth.domain_id ? { id: auth.domain_id } : { name: auth.domain_name } }])
  }
  if (auth.system_scope) kinds.push(['system', { system: { all: true } }])
  if (auth.trust_id) kinds.push(['trust', { 'OS-TRUST:trust': { id: auth.trust_id } }])
  if (kinds.length > 1) {
    throw usage(`a token can have one scope only, and ${kinds.map(([kind]) => kind).join(' and ')} are given`, {
      next: [nextStep('see where each comes from', 'config view', { option: 'origin' })],
    })
  }
  return kinds[0]?.[1]
}

const missing = (what: string, how: string) =>
  usage(`${what} is missing`, { hint: `give it with ${how}, or in clouds.yaml and --os-cloud (OS_CLOUD)` })
