/** Checks that the server is Keystone, and that the login works. */

import type { Context } from '../../cli/context.ts'
import { loginKind } from '../../config/clouds/login-kinds.ts'
import { nextStep } from '../../core/next-step.ts'
import { parseJson } from '../../http/answer.ts'
import type { Response } from '../../http/transport.ts'
import { v3Path } from '../../openstack/keystone.ts'
import { v3Of } from '../../openstack/keystone-versions.ts'
import type { CloudSession } from '../../openstack/session.ts'
import { type Check, checked, fail, ok, within } from './check.ts'
import type { Dated } from './clock.ts'

const requestMs = 10_000

export interface CheckedResponse {
  check: Check
  /** For the check of the clock. */
  response?: Dated
}

export async function checkKeystone(session: CloudSession, url: string, signal: AbortSignal): Promise<CheckedResponse> {
  let response: Response | undefined
  const check = await checked('keystone api', async () => {
    const endpoint = await session.endpoint('Keystone', url)
    const get = (path: string) =>
      within(requestMs, signal, inner => endpoint.request({ method: 'GET', path, signal: inner, timeoutMs: requestMs }))
    response = await get(v3Path(url))
    if (response.status === 404) response = await get('/')
    parseJson(response, endpoint) // throws an error that describes an answer that is not JSON
    const version = v3Of(response.text)?.id
    if (version) return ok('keystone api', `Keystone ${version}`)
    return fail(
      'keystone api',
      `${url} answers, but not as a Keystone v3 API (HTTP ${response.status})`,
      'the auth URL should look like https://keystone.example.com:5000/v3',
    )
  })
  return { check, ...(response ? { response } : {}) }
}

/** Gets a new token if there are credentials, because a saved one would hide that they are wrong. */
export async function checkLogin(context: Context, session: CloudSession): Promise<CheckedResponse> {
  let response: Dated | undefined
  const check = await checked('login', async () => {
    const { auth } = session.cloud
    const asks = loginKind(session.authType)?.asksPassword && !auth.password
    const saved = asks ? await session.cachedIdentity() : undefined
    if (asks && !saved) {
      return fail('login', 'no password is configured, and no token is saved', 'set OS_PASSWORD', [
        nextStep('or enter it once', 'auth login'),
      ])
    }
    if (saved && !(await within(requestMs, context.signal, () => session.stillValid(saved.token)))) {
      return fail('login', 'the saved token was revoked', null, [nextStep('get another', 'auth login')])
    }
    const identity = await within(2 * requestMs, context.signal, signal => session.identity({ renew: !asks, signal }))
    const { user, project, roles, expiresAt, issuedAt } = identity
    // some servers do not date their answers, but a new token has its date
    if (!asks) response = { headers: { date: issuedAt } }
    const who = user ? `as ${user.name}` : `with auth type ${session.authType}`
    if (user && !project) {
      return fail(
        'login',
        `works ${who}, but the token has no project`,
        'name one: --os-project-name (OS_PROJECT_NAME)',
      )
    }
    const where = project ? ` in project ${project.name} (roles: ${roles.join(', ') || 'none'})` : ''
    return ok('login', `${who}${where}${expiresAt ? `, until ${expiresAt}` : ''}`)
  })
  return { check, ...(response ? { response } : {}) }
}
