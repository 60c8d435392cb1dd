/** Keystone: logins and their refusals. */
import { afterAll, describe, expect, it } from 'vitest'
import type { CloudConfig } from '../../../src/config/clouds/clouds.ts'
import { authRequest } from '../../../src/openstack/auth-request.ts'
import { isValid, projectsNamed, requestToken, revokeToken } from '../../../src/openstack/keystone.ts'
import { listClusters } from '../../../src/openstack/magnum-api/clusters.ts'
import { refusal, refusalError } from './exchanges.ts'
import { type CallerRole, target } from './target.ts'

const cloud = await target()
afterAll(() => cloud.close())

const { signal } = new AbortController()
const unauthorized = 'The request you have made requires authentication.'

/** A session with other credentials or another scope than the role's cloud. */
async function withAuth(
  role: CallerRole,
  change: (auth: Record<string, string>) => Record<string, string | undefined>,
) {
  const { cloud: config } = (await cloud.as(role)).session
  const auth = Object.fromEntries(Object.entries(change({ ...config.auth })).filter(([, v]) => v !== undefined))
  return cloud.open(role, { auth: auth as CloudConfig['auth'] })
}

async function keystone(role: CallerRole, change: (url: string) => string = url => url) {
  const { session, ...exchanges } = await cloud.open(role)
  const url = change(session.cloud.auth.auth_url ?? '')
  return { session, endpoint: await session.endpoint('Keystone', url), auth: session.cloud.auth, ...exchanges }
}

describe.runIf(cloud.there)('requestToken', () => {
  it('with a password returns 201: the token in a header, its expiry, project, user, roles and the catalog', async () => {
    const caller = await cloud.open('user')
    const identity = await caller.session.identity()
    const { status, headers } = caller.last()
    expect([status, headers['x-subject-token']]).toEqual([201, identity.token])
    expect(headers['x-openstack-request-id']).toMatch(/^req-/)
    expect(Date.parse(identity.expiresAt ?? '') - cloud.clock.now()).toBeGreaterThan(60_000)
    expect(identity.project?.name).toBe(caller.session.cloud.auth.project_name)
    expect(identity.user?.name).toBe(caller.session.cloud.auth.username)
    expect(identity.roles).toContain('member')
    const magnum = identity.catalog.find(({ type }) => type === 'container-infra')
    const { region } = caller.session.cloud
    expect(magnum?.endpoints).toContainEqual({ interface: 'public', region, url: expect.stringMatching(/^https?:/) })
    expect(caller.seen).toHaveLength(1)
  })

  it('finds v3 if the address does not contain it, and for an old version', async () => {
    for (const rest of ['', '/', '/v2.0']) {
      const { endpoint, auth, seen } = await keystone('user', url => url.replace(/\/v3\/?$/, '') + rest)
      const identity = await requestToken(endpoint, authRequest('password', auth), signal)
      expect([identity.project?.name, seen.length], rest).toEqual([auth.project_name, 1])
    }
  })

  it('with a token returns another with the same expiry, also for another scope', async () => {
    const { session, endpoint, auth } = await keystone('user')
    const first = await session.identity()
    const { auth_url, project_name, project_domain_id, project_domain_name } = auth
    const scope = { auth_url, project_name, project_domain_id, project_domain_name }
    const second = await requestToken(endpoint, authRequest('token', { ...scope, token: first.token }), signal)
    expect([second.project?.id, second.user?.id]).toEqual([first.project?.id, first.user?.id])
    expect(second.token).not.toBe(first.token)
    expect(second.expiresAt).toBe(first.expiresAt)
  })

  // difference: appcred-scope
  it.runIf(cloud.has('delegate'))('with an application credential has its project, whatever scope is set', async () => {
    const caller = await withAuth('delegate', auth => ({ ...auth, project_name: 'nosuch' }))
    expect((await caller.session.identity()).project?.id).toBe(
      (await (await cloud.as('user')).session.identity()).project?.id,
    )
    const wrong = await withAuth('delegate', auth => ({ ...auth, application_credential_secret: 'wrong' }))
    expect(await refusal(wrong.session.identity())).toEqual([401, unauthorized])
  })

  it('without a scope gives the default project’s, or one without a catalog', async () => {
    const caller = await withAuth('user', ({ project_name, project_id, ...auth }) => auth)
    const { project, catalog } = await caller.session.identity()
    expect(project === undefined).toBe(catalog.length === 0)
  })

  it.each([
    ['a wrong password', { password: 'not-it' }],
    ['an unknown user', { username: 'nobody-at-all' }],
    ['an unknown project', { project_name: 'nosuch' }],
    ['a domain without a role', { project_name: undefined, domain_id: 'default' }],
  ])('is refused with 401 and one text for %s', async (_, change) => {
    const caller = await withAuth('user', auth => ({ ...auth, ...change }))
    const error = await refusalError(caller.session.identity())
    expect([error.outcome, error.details.status, error.details.reason]).toEqual(['denied', 401, unauthorized])
    expect(caller.last().headers['www-authenticate']).toMatch(/^Keystone uri="/)
  })

  it.runIf(cloud.has('wrongPassword'))('is refused to the cloud whose password is wrong', async () => {
    expect(await refusal((await cloud.open('wrongPassword')).session.identity())).toEqual([401, unauthorized])
  })

  it.runIf(cloud.has('other'))('is refused for a project in which one has no role', async () => {
    const { project_name } = (await cloud.as('user')).session.cloud.auth
    const caller = await withAuth('other', auth => ({ ...auth, project_name }))
    expect(await refusal(caller.session.identity())).toEqual([401, unauthorized])
  })

  it('is refused for an invalid token, with 404', async () => {
    const { endpoint, auth } = await keystone('user')
    const request = authRequest('token', { auth_url: auth.auth_url, token: 'not-a-token' })
    const error = await refusalError(requestToken(endpoint, request, signal))
    expect([401, 404]).toContain(error.details.status)
  })

  it('is refused without a Keystone, with the address', async () => {
    const magnum = await (await cloud.as('user')).session.magnumUrl()
    const { endpoint, auth } = await keystone('user', () => magnum.replace(/\/v1$/, '/v3'))
    const error = await refusalError(requestToken(endpoint, authRequest('password', auth), signal))
    expect(error.message).toContain(new URL(magnum).host)
  })
})

describe.runIf(cloud.there)('isValid', () => {
  it('accepts a valid token, and refuses an unknown one', async () => {
    const { session, endpoint } = await keystone('user')
    const { token } = await session.identity()
    expect(await isValid(endpoint, token, signal)).toBe(true)
    expect(await isValid(endpoint, 'not-a-token', signal)).toBe(false)
  })
})

describe.runIf(cloud.there)('projectsNamed', () => {
  it.runIf(cloud.has('admin'))(
    'tells an administrator the project of a name, and none of a name that nobody has',
    async () => {
      const { session, endpoint } = await keystone('admin')
      const { token } = await session.identity()
      const { project } = await (await cloud.as('user')).session.identity()
      const name = project?.name ?? ''
      const [found, ...more] = await projectsNamed(endpoint, token, name, signal)
      expect([found?.id, found?.name, more]).toEqual([project?.id, name, []])
      expect(await projectsNamed(endpoint, token, 'no-such-project', signal)).toEqual([])
    },
  )

  it('is refused to others with 403', async () => {
    const { session, endpoint } = await keystone('user')
    const { token } = await session.identity()
    expect(await refusal(projectsNamed(endpoint, token, 'admin', signal))).toEqual([
      403,
      'You are not authorized to perform the requested action: identity:list_projects.',
    ])
  })
})

describe.runIf(cloud.there)('revokeToken', () => {
  it('returns 204; Keystone and Magnum refuse the token, and revoking it again is not refused', async () => {
    const { session, endpoint, last } = await keystone('user')
    const { token } = await session.identity()
    await revokeToken(endpoint, token, signal)
    expect(last().status).toBe(204)
    expect(await isValid(endpoint, token, signal)).toBe(false)
    await revokeToken(endpoint, token, signal)
    expect([401, 404]).toContain(last().status)
  })

  it('makes the next request log in again, and succeed', async () => {
    const caller = await cloud.open('user')
    const { token } = await caller.session.identity()
    await revokeToken(
      await caller.session.endpoint('Keystone', caller.session.cloud.auth.auth_url ?? ''),
      token,
      signal,
    )
    expect(Array.isArray(await listClusters(caller.service, { limit: 1 }, false))).toBe(true)
    const statuses = caller.seen.slice(2).map(({ method, answer }) => `${method} ${answer.status}`)
    expect(statuses).toEqual(['GET 401', 'POST 201', 'GET 200'])
    expect((await caller.session.identity()).token).not.toBe(token)
  })
})
