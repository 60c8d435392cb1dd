import { describe, expect, it } from 'vitest'
import { send } from '../request.ts'
import { byPassword, cloud, inProject } from './cloud.ts'

const pass = 'sandbox-password'

describe('Keystone', () => {
  it('shows its versions: 300 at the root, 200 at /v3', async () => {
    const { sandbox } = await cloud()
    const root = sandbox.authUrl.replace('/v3', '')
    const versions = await send('GET', `${root}/`)
    expect(versions.status).toBe(300)
    expect(versions.json.versions.values[0]).toMatchObject({ id: 'v3.14', status: 'stable' })
    expect(versions.headers.location).toBe(`${root}/v3/`)
    const v3 = await send('GET', sandbox.authUrl)
    expect([v3.status, v3.json.version.links[0].href]).toEqual([200, `${root}/v3/`])
    const elsewhere = await send('GET', `${root}/v2.0`)
    expect([elsewhere.status, elsewhere.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  })

  it('gives a project’s token for a password, with roles and a catalog of regions and interfaces', async () => {
    const { login, sandbox } = await cloud({ regions: ['one', 'two'] })
    const reply = await login(byPassword('demo', pass), inProject('demo'))
    expect(reply.status).toBe(201)
    expect(reply.headers['x-subject-token']).toMatch(/^gAAAAAB/)
    expect(reply.headers['x-openstack-request-id']).toMatch(/^req-/)
    const { token } = reply.json
    expect(token).toMatchObject({
      methods: ['password'],
      user: { name: 'demo', domain: { id: 'default', name: 'Default' }, password_expires_at: null },
      project: { name: 'demo', domain: { id: 'default' } },
      is_domain: false,
    })
    expect(token.roles.map((role: { name: string }) => role.name)).toEqual(['member', 'reader'])
    expect(token.expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000000Z$/)
    const magnum = token.catalog.find((entry: { type: string }) => entry.type === 'container-infra')
    expect(magnum.endpoints.map((e: { region: string; interface: string }) => `${e.region}/${e.interface}`)).toEqual([
      'one/public',
      'one/internal',
      'one/admin',
      'two/public',
      'two/internal',
      'two/admin',
    ])
    expect(magnum.endpoints[0].url).toBe(sandbox.magnumUrl)
  })

  it('also accepts user ids, and uses the default project without a scope', async () => {
    const { login, sandbox } = await cloud()
    const { id } = sandbox.openstack.accounts.users.demo
    const reply = await login({ methods: ['password'], password: { user: { id, password: pass } } })
    expect(reply.json.token.project.name).toBe('demo')
  })

  it.each([
    ['a wrong password', byPassword('demo', 'wrong'), inProject('demo')],
    ['an unknown user', byPassword('nobody', pass), inProject('demo')],
    ['an unknown project', byPassword('demo', pass), inProject('nosuch')],
    ['a project without a role', byPassword('norole', pass), inProject('demo')],
    ['the system without a role', byPassword('demo', pass), { system: { all: true } }],
    ['a domain without a role', byPassword('demo', pass), { domain: { id: 'default' } }],
    ['an unknown trust', byPassword('demo', pass), { 'OS-TRUST:trust': { id: 'nosuch' } }],
  ])('says the same 401 for %s', async (_, identity, scope) => {
    const { login, sandbox } = await cloud()
    const reply = await login(identity, scope)
    expect(reply.status).toBe(401)
    expect(reply.json).toEqual({
      error: { code: 401, message: 'The request you have made requires authentication.', title: 'Unauthorized' },
    })
    expect(reply.headers['www-authenticate']).toBe(`Keystone uri="${sandbox.authUrl}"`)
  })

  it('issues unscoped, system and trust tokens, each with its own content', async () => {
    const { login, sandbox } = await cloud()
    const unscoped = (await login(byPassword('demo', pass), 'unscoped')).json.token
    expect(Object.keys(unscoped)).not.toContain('catalog')
    expect(Object.keys(unscoped)).not.toContain('roles')
    const system = (await login(byPassword('admin', pass), { system: { all: true } })).json.token
    expect(system.system).toEqual({ all: true })
    expect(system.catalog.length).toBeGreaterThan(0)
    const trust = sandbox.openstack.accounts.directory.trusts[0]
    const trusted = (await login(byPassword('alt', pass), { 'OS-TRUST:trust': { id: trust?.id } })).json.token
    expect([trusted.user.name, trusted.project.name]).toEqual(['alt', 'demo'])
  })

  it('accepts application credentials by id and by name, and refuses a scope with them', async () => {
    const { login, sandbox } = await cloud()
    const [credential] = sandbox.openstack.accounts.directory.applicationCredentials
    const by = (given: object) => ({
      methods: ['application_credential'],
      application_credential: { secret: credential?.secret, ...given },
    })
    const reply = await login(by({ id: credential?.id }))
    expect(reply.json.token.application_credential).toEqual({ id: credential?.id, name: 'cli', restricted: true })
    const named = by({ name: 'cli', user: { name: 'demo', domain: { id: 'default' } } })
    expect((await login(named)).status).toBe(201)
    expect((await login(by({ id: credential?.id, secret: 'bad' }))).status).toBe(401)
    const scoped = await login(by({ id: credential?.id }), inProject('demo'))
    expect([scoped.status, scoped.json.error.message]).toEqual([
      401,
      'Error authenticating with application credential: Application credentials cannot request a scope.',
    ])
    const token = { methods: ['token'], token: { id: reply.headers['x-subject-token'] } }
    expect((await login(token, inProject('alt'))).status).toBe(403)
  })

  it('rescopes a token, which does not outlive the first', async () => {
    const { login, token, sandbox } = await cloud()
    const first = await token('demo/demo')
    sandbox.clock.advance(3_600_000)
    const second = await login({ methods: ['token'], token: { id: first } }, inProject('alt'))
    expect(second.json.token.project.name).toBe('alt')
    expect(second.json.token.methods).toEqual(['token', 'password'])
    const left = Date.parse(second.json.token.expires_at) - sandbox.clock.now()
    expect(left).toBeLessThanOrEqual(23 * 3_600_000)
    const bad = await login({ methods: ['token'], token: { id: 'bad' } }, inProject('alt'))
    expect(bad.json).toEqual({ error: { code: 404, message: 'Could not recognize Fernet token', title: 'Not Found' } })
  })

  it('validates, and revokes on logout', async () => {
    const { sandbox, token, as } = await cloud()
    const id = await token('demo/demo')
    const own = { headers: { 'X-Auth-Token': id, 'X-Subject-Token': id } }
    const url = `${sandbox.authUrl}/auth/tokens`
    expect((await send('GET', url, own)).json.token.user.name).toBe('demo')
    expect((await send('HEAD', url, own)).status).toBe(200)
    expect((await send('GET', url, { headers: { 'X-Auth-Token': id } })).status).toBe(403)
    expect((await send('GET', url, { headers: { 'X-Auth-Token': id, 'X-Subject-Token': 'x' } })).status).toBe(404)
    expect((await send('DELETE', url, own)).status).toBe(204)
    expect((await send('GET', url, own)).status).toBe(401)
    expect((await as('demo/demo')('GET', '/v1/clusters')).status).toBe(401)
  })

  it('expires tokens', async () => {
    const { sandbox, as } = await cloud({ tokenLifetimeMs: 60_000 })
    const demo = as('demo/demo')
    expect((await demo('GET', '/v1/clusters')).status).toBe(200)
    sandbox.clock.advance(61_000)
    const late = await demo('GET', '/v1/clusters')
    expect([late.status, late.json.error.title]).toEqual([401, 'Unauthorized'])
  })

  it.each([
    ['{', 'Expecting to find valid JSON in request body.'],
    ['{}', 'Expecting to find auth in request body.'],
    ['{"auth":{"identity":{"methods":["password"]}}}', 'Expecting to find password in identity.'],
  ])('explains a malformed request: %s', async (body, text) => {
    const { sandbox } = await cloud()
    const reply = await send('POST', `${sandbox.authUrl}/auth/tokens`, { body })
    expect([reply.status, reply.json.error.title]).toEqual([400, 'Bad Request'])
    expect(reply.json.error.message).toContain(text)
  })

  it('lists its methods in the refusal of another', async () => {
    const { login } = await cloud()
    const reply = await login({ methods: ['totp'], totp: {} })
    expect(reply.status).toBe(401)
    expect(reply.json.error.identity.methods).toContain('application_credential')
  })

  it("lists a user's own projects, and all only to an admin", async () => {
    const { sandbox, token } = await cloud()
    const get = async (who: string, path: string) =>
      send('GET', `${sandbox.authUrl}${path}`, { headers: { 'X-Auth-Token': await token(who) } })
    const mine = await get('demo/demo', '/auth/projects')
    expect(mine.json.projects.map((project: { name: string }) => project.name)).toEqual(['demo', 'alt'])
    expect((await get('demo/demo', '/projects')).status).toBe(403)
    expect((await get('admin/admin', '/projects?name=alt')).json.projects).toHaveLength(1)
  })
})

describe('the sandbox as a whole', () => {
  it('speaks TLS with its own CA, and says that it is a simulation', async () => {
    const { sandbox, token } = await cloud()
    const plain = await send('GET', sandbox.magnumUrl.replace('/v1', '/'))
    expect(plain.headers.server).toContain('simulation')
    expect(plain.json.description).toContain('simulation')
    expect(await token('demo/demo')).toMatch(/^gAAAA/)
    const secure = await cloud({ tls: true })
    expect(secure.sandbox.authUrl).toMatch(/^https:/)
    await expect(send('GET', secure.sandbox.authUrl)).rejects.toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
    const trusted = await send('GET', secure.sandbox.authUrl, { ca: secure.sandbox.caPem as string })
    expect(trusted.status).toBe(200)
  })

  it('describes itself as clouds.yaml and as variables, for each user who can log in', async () => {
    const { sandbox } = await cloud()
    const { parse } = await import('yaml')
    const { clouds } = parse(sandbox.cloudsYaml('/some/ca.pem'))
    expect(clouds.sandbox).toMatchObject({
      auth: { auth_url: sandbox.authUrl, username: 'demo', project_name: 'demo' },
      cacert: '/some/ca.pem',
      region_name: 'RegionOne',
    })
    expect(clouds['sandbox-appcred'].auth_type).toBe('v3applicationcredential')
    expect(sandbox.env('admin', 'admin')).toMatchObject({ OS_USERNAME: 'admin', OS_AUTH_URL: sandbox.authUrl })
  })

  it('does not count logins among the writes', async () => {
    const { sandbox, as } = await cloud()
    await as('demo/demo')('GET', '/v1/clusters')
    expect(sandbox.log.writes()).toEqual([])
    await as('demo/demo')('POST', '/v1/federations', {})
    expect(sandbox.log.writes().map(entry => `${entry.service} ${entry.method} ${entry.status}`)).toEqual([
      'magnum POST 400',
    ])
  })

  it('can lack Magnum, or offer it under another name or address', async () => {
    const types = async (options: object) => {
      const { login, sandbox } = await cloud(options)
      const { catalog } = (await login(byPassword('demo', pass), inProject('demo'))).json.token
      return { catalog: catalog.map((entry: { type: string }) => entry.type), url: sandbox.magnumUrl }
    }
    expect((await types({ serviceType: null })).catalog).not.toContain('container-infra')
    const other = await types({ serviceType: 'container-infrastructure-management', endpointPath: '' })
    expect(other.catalog).toContain('container-infrastructure-management')
    expect(other.url).not.toMatch(/v1$/)
  })
})
