import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCoe } from '../support/run.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'coe-view-'))
  await mkdir(join(home, '.config', 'openstack'), { recursive: true })
  await mkdir(join(home, '.config', 'coe'), { recursive: true })
})
afterEach(() => rm(home, { recursive: true, force: true }))

const secrets = ['s3cret-password', 'webhook-key', 'odd-plugin-secret']
const view = (line = '', env: Record<string, string> = {}) =>
  runCoe(`config view ${line}`, { home, cwd: home, env, secrets })
const put = (path: string, text: string) => writeFile(join(home, '.config', path), text)

const clouds = `clouds:
  prod:
    auth:
      auth_url: https://keystone.example.com:5000/v3
      username: demo
      password: s3cret-password
      client_secret: odd-plugin-secret
      project_name: demo
    region_name: east
    verify: false
`

interface Row {
  key: string
  value: unknown
  origin: string
}
const rowsOf = async (line = '', env: Record<string, string> = {}) => {
  const { out, code } = await view(`${line} --origin -f json`, env)
  expect(code).toBe(0)
  return new Map((JSON.parse(out) as Row[]).map(r => [r.key, r]))
}

describe('coe config view', () => {
  it('says what holds and where it comes from, whichever layer', async () => {
    await put('openstack/clouds.yaml', clouds)
    await put('coe/config.yaml', 'color: never\nfederation:\n  dns_zone: fed.example\n')
    const rows = await rowsOf('--os-project-name other', { COE_WAIT_TIMEOUT: '5m', OS_CLOUD: 'prod' })
    const at = (key: string) => ({ value: rows.get(key)?.value, origin: rows.get(key)?.origin })
    const config = join(home, '.config', 'coe', 'config.yaml')
    const file = join(home, '.config', 'openstack', 'clouds.yaml')
    expect(at('mode')).toEqual({ value: 'magnum', origin: '--os-project-name' })
    expect(at('color')).toEqual({ value: 'never', origin: `${config}:1` })
    expect(at('federation.dns_zone')).toEqual({ value: 'fed.example', origin: `${config}:3` })
    expect(at('wait_timeout')).toEqual({ value: '5m', origin: 'COE_WAIT_TIMEOUT' })
    expect(at('token_cache')).toEqual({ value: true, origin: 'default' })
    expect(at('openstack.cloud')).toEqual({ value: 'prod', origin: 'OS_CLOUD' })
    expect(at('openstack.auth.project_name')).toEqual({ value: 'other', origin: '--os-project-name' })
    expect(at('openstack.region_name')).toEqual({ value: 'east', origin: `${file}:9 cloud prod` })
    expect(at('openstack.verify')).toEqual({ value: false, origin: `${file}:10 cloud prod` })
    expect(at('files.config').value).toBe(config)
  })

  it('says which variable led to a file or folder', async () => {
    const rows = await rowsOf('', { COE_CONFIG_DIR: join(home, 'own'), XDG_CACHE_HOME: join(home, 'cache') })
    expect(rows.get('files.config')).toMatchObject({
      value: join(home, 'own', 'config.yaml'),
      origin: 'COE_CONFIG_DIR',
    })
    expect(rows.get('folders.cache')).toMatchObject({ value: join(home, 'cache', 'coe'), origin: 'XDG_CACHE_HOME' })
    expect(rows.get('folders.state')?.origin).toBe('default')
  })

  it('never shows a secret, wherever it stands', async () => {
    await put('openstack/clouds.yaml', clouds)
    await put('coe/config.yaml', 'notifications:\n  webhook: https://hooks.example.com/webhook-key\n')
    const rows = await rowsOf()
    expect(rows.get('openstack.auth.password')?.value).toBe('(hidden)')
    expect(rows.get('openstack.auth.client_secret')?.value).toBe('(hidden)')
    expect(rows.get('notifications.webhook')?.value).toBe('(hidden)')
    const proxied = await view('-f value', { OS_AUTH_URL: 'https://me:s3cret-password@keystone.example.com/v3' })
    expect(proxied.out).toContain('keystone.example.com')
  })

  it('shows coe’s own settings where there is no cloud, and names no origin unless asked', async () => {
    const { code, out, err } = await view('-f json')
    expect(code).toBe(0)
    expect(JSON.parse(out)[0]).toEqual({ key: 'mode', value: 'standalone' })
    expect(err).toContain('no OpenStack cloud: no clouds.yaml in')
  })

  it('goes on when the cloud’s settings are broken, and says so once', async () => {
    await put('openstack/clouds.yaml', 'clouds:\n  prod: [\n')
    const { code, out, err } = await view('-c key -f value')
    expect(code).toBe(6)
    expect(out).toContain('token_cache')
    expect(err.match(/clouds\.yaml/g)?.length).toBe(1)
  })

  it('refuses a setting that makes no sense with the place it stands at', async () => {
    await put('coe/config.yaml', 'color: pink\n')
    const { code, err } = await view()
    expect(code).toBe(2)
    expect(err).toContain('config.yaml:1')
  })
})
