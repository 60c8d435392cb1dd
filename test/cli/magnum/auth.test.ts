import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../../support/cloud.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ tls: false })
})
afterAll(() => cloud.close())
beforeEach(async () => {
  await cloud.run('auth logout --all')
  cloud.sandbox.log.clear()
})

const tokens = () => join(cloud.home, '.cache', 'coe', 'tokens')
const kept = () => readdir(tokens()).catch(() => [])
const requests = () => cloud.sandbox.log.all().map(e => `${e.service} ${e.method} ${e.url}`)
const status = async (line = 'auth status') => JSON.parse((await cloud.run(`${line} -f json`)).out)

describe('--password-stdin', () => {
  it('takes the password from there, before any other', async () => {
    const options = { env: { OS_PASSWORD: 'wrong-one' }, secrets: ['wrong-one'] }
    expect((await cloud.run('cluster list', options)).code).toBe(4)
    const given = await cloud.run('auth login --password-stdin', { ...options, input: 'sandbox-password\n' })
    expect(given).toMatchObject({ code: 0, err: '' })
  })

  it('is in no line to paste: what was kept serves those', async () => {
    const { err } = await cloud.run('cluster list --password-stdin', { input: 'wrong' })
    expect(err).toContain(': coe config view --origin\n')
  })

  it('says so when nothing comes', async () => {
    const { code, err } = await cloud.run('auth login --password-stdin', { input: '' })
    expect([code, err]).toEqual([2, expect.stringContaining('there is no password on standard input')])
  })
})

// difference: auth-types
describe('a way to log in that coe does not know', () => {
  it.each(['v3oidcpassword', 'v3samlpassword', 'v2password', 'v3totp'])(
    '%s is named, and asks for nothing',
    async type => {
      const env = { OS_AUTH_TYPE: type, OS_PASSWORD: undefined }
      const { code, err } = await cloud.run('cluster list', { env, tty: true, input: 'sandbox-password\n' })
      expect(code).toBe(2)
      expect(err).toContain(`the auth type "${type}" is not supported`)
      expect(err).not.toContain('Password')
    },
  )
})

describe('a second factor', () => {
  it('is not asked for, so that a one-time code that was given is told to be of no use', async () => {
    const { code, err } = await cloud.run('cluster list -f name --os-passcode 123456', { secrets: ['123456'] })
    expect(code).toBe(0)
    expect(err).toContain('warning: the one-time code (from --os-passcode) is not used')
  })
})

describe('coe auth status', () => {
  it('tells which cloud, as whom, until when, and where Magnum is', async () => {
    const { accounts, state } = cloud.sandbox.openstack
    const now = state.clock.now()
    const shown = await status()
    expect(shown).toMatchObject({
      cloud: 'envvars',
      chosen_by: 'OS_AUTH_URL',
      auth_url: cloud.sandbox.authUrl,
      auth_type: 'password',
      user: 'demo',
      user_id: accounts.users.demo.id,
      project: 'demo',
      project_id: accounts.projects.demo.id,
      token: 'new',
      magnum_endpoint: cloud.sandbox.magnumUrl,
    })
    expect(shown.roles).toContain('member')
    expect(Date.parse(shown.expires_at)).toBeGreaterThan(now)
    expect((await status()).token).toBe('kept')
  })

  it('shows a kept token to Keystone, and takes a new one when it was revoked', async () => {
    await cloud.run('auth login')
    const { tokens: issued } = cloud.sandbox.openstack
    const [file] = await kept()
    const { readFile } = await import('node:fs/promises')
    const { token } = JSON.parse(await readFile(join(tokens(), file ?? ''), 'utf8'))
    const known = issued.valid(token)
    if (!known) throw new Error('the sandbox does not know its own token')
    issued.revoke(known)
    expect((await status()).token).toBe('new')
  })

  it('needs no Keystone where the address and a token are given', async () => {
    const env = { OS_AUTH_TYPE: 'admin_token', OS_TOKEN: 'some-token-of-mine', OS_ENDPOINT: 'http://127.0.0.1:1' }
    const { code, out } = await cloud.run('auth status -f json', { env, secrets: ['some-token-of-mine'] })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ user: null, project: null, token: 'given' })
    expect(requests()).toEqual([])
  })

  it('says what Keystone says about wrong credentials', async () => {
    const { code, out, err } = await cloud.run('auth status', { env: { OS_PASSWORD: 'not-the-one' } })
    expect({ code, out }).toEqual({ code: 4, out: '' })
    expect(err).toContain('Keystone refused the credentials')
    expect(err).not.toContain('not-the-one')
  })
})

describe('coe auth login', () => {
  it('asks for the password, and later runs need none', async () => {
    const env = { OS_PASSWORD: undefined }
    const blind = await cloud.run('cluster list', { env })
    expect(blind).toMatchObject({ code: 2 })
    expect(blind.err).toContain('no password was given')
    const login = await cloud.run('auth login', { env, tty: true, columns: 120, input: 'sandbox-password\n' })
    expect(login.code).toBe(0)
    expect(login.err).toContain('Password: ')
    expect(login.out).toMatch(/^Logged in to cloud envvars as demo in project demo until 20/)
    expect((await cloud.run('cluster list', { env })).code).toBe(0)
  })

  it('takes a new token even if one is kept, and keeps it for nobody else to read', async () => {
    await cloud.run('auth login')
    await cloud.run('auth login')
    expect(requests().filter(r => r.includes('POST'))).toHaveLength(2)
    const [file, another] = await kept()
    expect(another).toBeUndefined()
    expect((await stat(join(tokens(), file ?? ''))).mode & 0o777).toBe(0o600)
  })

  it('does not pretend where tokens are not kept', async () => {
    const off = await cloud.run('auth login', { env: { COE_TOKEN_CACHE: 'false' } })
    expect(off.code).toBe(2)
    expect(off.err).toContain('token_cache is off')
    const none = await cloud.run('auth login', {
      env: { OS_AUTH_TYPE: 'none', OS_ENDPOINT: 'http://127.0.0.1:1' },
    })
    expect(none.code).toBe(2)
    expect(none.err).toContain('needs no login')
    const unwritable = await cloud.run('auth login', { env: { COE_CACHE_DIR: cloud.caFile } })
    expect(unwritable.code).toBe(1)
    expect(unwritable.err).toContain(`could not be saved in ${cloud.caFile}/tokens`)
  })
})

describe('coe auth logout', () => {
  it('forgets the token, and says when there was none', async () => {
    await cloud.run('auth login')
    expect(await cloud.run('auth logout')).toMatchObject({ code: 0, out: 'Deleted the saved token of cloud envvars\n' })
    expect(await kept()).toEqual([])
    expect(await cloud.run('auth logout')).toMatchObject({
      code: 0,
      out: 'There was no saved token of cloud envvars\n',
    })
    expect(requests().filter(r => r.includes('DELETE'))).toEqual([])
  })

  it('has Keystone end it with --revoke, and keeps it when that fails, to be tried again', async () => {
    await cloud.run('auth login')
    cloud.sandbox.faults.order({
      service: 'keystone',
      method: 'DELETE',
      times: 9,
      effect: { kind: 'answer', status: 500 },
    })
    expect((await cloud.run('auth logout --revoke')).code).toBe(1)
    cloud.sandbox.faults.clear()
    expect(await kept()).toHaveLength(1)
    expect(JSON.parse((await cloud.run('auth logout --revoke -f json')).out)).toEqual({ tokens: 1, revoked: true })
    expect(requests().at(-1)).toBe('keystone DELETE /v3/auth/tokens')
    expect(await kept()).toEqual([])
  })

  it('forgets those of all clouds with --all, with no cloud configured', async () => {
    await cloud.run('auth login')
    await cloud.as('alt', 'alt')('auth login')
    expect(await kept()).toHaveLength(2)
    const { runCoe } = await import('../../support/run.ts')
    const nowhere = { home: cloud.home, env: { HOME: cloud.home } }
    expect(await runCoe('auth logout --all', nowhere)).toMatchObject({ code: 0, out: 'Deleted 2 saved tokens\n' })
    expect(await kept()).toEqual([])
    expect((await runCoe('auth logout --all --revoke', nowhere)).code).toBe(2)
  })
})
