/** What one run leaves for the next: used where it is as coe left it and nobody else could have written it, else as good as none. */
import { execFileSync } from 'node:child_process'
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/core/time.ts'
import type { Clock } from '../../src/core/world.ts'
import type { LocalDeps } from '../../src/local/deps.ts'
import { readIndex, remember } from '../../src/local/known-federations.ts'
import { startCloud, type TestCloud } from '../support/cloud.ts'
import { runCoe } from '../support/run.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ tls: false, clusters: 1 })
})
afterAll(() => cloud.close())
beforeEach(async () => {
  await rm(folder(), { recursive: true, force: true })
  await cloud.run('auth login')
  cloud.sandbox.log.clear()
})

const folder = () => join(cloud.home, '.cache', 'coe', 'tokens')
const file = async () => join(folder(), (await readdir(folder()))[0] as string)
const logins = () => cloud.sandbox.log.all().filter(e => e.method === 'POST' && e.url.includes('/auth/tokens')).length

interface Kept {
  format: number
  token: string
  catalog: { type: string; endpoints: { url: string }[] }[]
  [field: string]: unknown
}
const kept = async (): Promise<Kept> => JSON.parse(await readFile(await file(), 'utf8'))
const listed = { code: 0, out: 'cluster1\n', err: '' }

async function expectNewLogin(): Promise<void> {
  expect(await cloud.run('cluster list -f name')).toMatchObject(listed)
  expect(logins()).toBe(1)
  expect(await cloud.run('cluster list -f name')).toMatchObject(listed)
  expect(logins()).toBe(1)
}

it('a token that was saved is used', async () => {
  expect(await cloud.run('cluster list -f name')).toMatchObject(listed)
  expect(logins()).toBe(0)
})

describe('a kept token is as good as none', () => {
  it.each<[string, (kept: Kept) => unknown]>([
    ['empty', () => ''],
    ['cut off', k => JSON.stringify(k).slice(0, -20)],
    ['null', () => null],
    ['{}', () => ({})],
    ['[null]', () => [null]],
    ['of a format without a number', ({ format: _, ...rest }) => rest],
    ['of a later format', k => ({ ...k, format: 2 })],
    ['without a catalog', ({ catalog: _, ...rest }) => rest],
    ['with catalog: null', k => ({ ...k, catalog: null })],
    ['with catalog: [null]', k => ({ ...k, catalog: [null] })],
    ['with a service without endpoints', k => ({ ...k, catalog: [{ type: 'container-infra', name: 'magnum' }] })],
    ['with an address that is a number', k => ({ ...k, catalog: [{ ...k.catalog[0], endpoints: [{ url: 1 }] }] })],
    ['with a token that is a number', k => ({ ...k, token: 5 })],
    ['with line ends in the token', k => ({ ...k, token: `${k.token}\r\nx-more: 1` })],
    ['with roles: "admin"', k => ({ ...k, roles: 'admin' })],
    ['with user: "me"', k => ({ ...k, user: 'me' })],
    ['with a time of expiry that is none', k => ({ ...k, expiresAt: 'for ever' })],
    [
      '20,000 levels deep',
      k => JSON.stringify({ ...k, more: 0 }).replace('"more":0', `"more":${'['.repeat(20_000)}${']'.repeat(20_000)}`),
    ],
  ])('%s', async (_, spoil) => {
    const content = spoil(await kept())
    await writeFile(await file(), typeof content === 'string' ? content : JSON.stringify(content))
    await expectNewLogin()
  })
})

describe('a kept token that somebody else could have written', () => {
  it.each<[string, (file: string) => Promise<unknown>]>([
    ['other users can write the file', path => chmod(path, 0o620)],
    [
      'it is a link',
      async path => {
        await rename(path, join(cloud.home, 'elsewhere.json'))
        await symlink(join(cloud.home, 'elsewhere.json'), path)
      },
    ],
    [
      'it is a pipe, which is not waited for',
      async path => {
        await rm(path)
        execFileSync('mkfifo', ['-m', '600', path])
      },
    ],
  ])('is not used: %s', async (_, spoil) => {
    const path = await file()
    await spoil(path)
    await expectNewLogin()
    expect((await lstat(path)).isFile()).toBe(true)
  })

  it('is not used: it is a folder; doctor says so', async () => {
    const path = await file()
    await rm(path)
    await mkdir(path, { mode: 0o700 })
    expect(await cloud.run('cluster list -f name')).toMatchObject(listed)
    expect(logins()).toBe(1)
    expect((await cloud.run('doctor --max-width 400')).out).toContain(`${path} is not used: it is not a regular file`)
  })

  it('is not used: it belongs to another user', async () => {
    const uid = ((await stat(await file())).uid + 1) % 60_000
    expect(await cloud.run('cluster list -f name', { uid })).toMatchObject(listed)
    expect(logins()).toBe(1)
  })

  it('is not used: other users can write to its folder; auth login and doctor say why', async () => {
    await chmod(folder(), 0o770)
    expect(await cloud.run('cluster list -f name')).toMatchObject(listed)
    expect(logins()).toBe(1)
    const login = await cloud.run('auth login')
    expect(login.code).toBe(1)
    expect(login.err).toContain(`could not be saved in ${folder()}: other users can write to its folder`)
    expect((await cloud.run('doctor')).out).toContain(`chmod -R go= ${folder()}`)
    await chmod(folder(), 0o700)
  })
})

describe('a catalog that is older than the address of Magnum', () => {
  let other: Server
  let address: string
  let heard: (string | undefined)[]
  beforeAll(async () => {
    other = createServer((request, response) => {
      heard.push(request.headers['x-auth-token'] as string | undefined)
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error": {"message": "no"}}')
    })
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1`
  })
  afterAll(() => void other.close())
  beforeEach(() => {
    heard = []
  })

  async function movedTo(url: string): Promise<string> {
    const found = await kept()
    const catalog = found.catalog.map(s => ({ ...s, endpoints: s.endpoints.map(e => ({ ...e, url })) }))
    await writeFile(await file(), JSON.stringify({ ...found, catalog }))
    return found.token
  }

  it('is looked up again after a 401: the new token goes where the new catalog says', async () => {
    const old = await movedTo(address)
    expect(await cloud.run('cluster list -f name')).toMatchObject(listed)
    expect(heard).toEqual([old])
    expect((await kept()).token).not.toBe(old)
  })

  it('is looked up again where nobody answers any more; a Magnum that is down is asked for no second login', async () => {
    await movedTo('http://127.0.0.1:1/v1')
    expect(await cloud.run('cluster list -f name')).toMatchObject(listed)
    expect(logins()).toBe(1)
    const env = { OS_ENDPOINT_OVERRIDE: 'http://127.0.0.1:1/v1' }
    const down = await cloud.run('cluster list', { env })
    expect(down.code).toBe(1)
    expect(down.err).toContain('Magnum refused the connection')
    expect(logins()).toBe(1)
  })
})

describe('names for completion', () => {
  /** A busy machine may take longer than a person waits for Tab. */
  const clock: Clock = { now: systemClock.now, sleep: (ms, signal) => systemClock.sleep(ms * 100, signal) }
  const ask = async () => (await cloud.run(['__complete', 'cluster', 'show', ''], { clock })).out
  const names = () => join(cloud.home, '.cache', 'coe', 'names')

  it.each<[string, (kept: Record<string, unknown>) => unknown]>([
    ['of another format', k => ({ ...k, format: 9 })],
    ['with a name that is a number', k => ({ ...k, names: [1] })],
    ['without a time', ({ at: _, ...k }) => k],
    ['a list', () => ['cluster9']],
  ])('are asked for again when what is kept is odd: %s', async (_, spoil) => {
    await rm(names(), { recursive: true, force: true })
    expect(await ask()).toContain('cluster1')
    const path = join(names(), (await readdir(names()))[0] as string)
    const found = JSON.parse(await readFile(path, 'utf8'))
    await writeFile(path, JSON.stringify({ ...found, names: ['cluster9'] }))
    expect(await ask()).toContain('cluster9')
    await writeFile(path, JSON.stringify(spoil({ ...found, names: ['cluster9'] })))
    expect(await ask()).toContain('cluster1')
  })

  it('are not taken from where others could have written them; doctor says so', async () => {
    await ask()
    const path = join(names(), (await readdir(names()))[0] as string)
    await writeFile(path, (await readFile(path, 'utf8')).replace('cluster1', 'cluster9'))
    expect(await ask()).toContain('cluster9')
    await chmod(names(), 0o777)
    expect(await ask()).toContain('cluster1')
    const { out } = await cloud.run('doctor --max-width 400')
    expect(out).toContain(`${names()} is not used: other users can write to its folder`)
    await chmod(names(), 0o700)
  })
})

describe('the note of which host has which federation', () => {
  const entry = { name: 'myfed', uuid: 'u-1', host: 'c1', namespace: 'coe-fed-myfed' }
  const where = () => join(cloud.home, 'state')
  const deps = () => ({ state: where(), world: { uid: process.getuid?.() } }) as unknown as LocalDeps

  it('is read as it was written', async () => {
    await remember(deps(), [entry])
    expect(await readIndex(deps())).toEqual([entry])
  })

  it.each<[string, unknown]>([
    ['of another format', { format: 0, federations: [entry] }],
    ['a bare list', [entry]],
    ['null', { format: 1, federations: null }],
    ['with an entry that is none', { format: 1, federations: [entry, null] }],
    ['with a host that is a number', { format: 1, federations: [{ ...entry, host: 1 }] }],
  ])('is as good as none: %s', async (_, content) => {
    await writeFile(join(where(), 'federations.json'), JSON.stringify(content), { mode: 0o600 })
    expect(await readIndex(deps())).toEqual([])
  })

  it('is as good as none where others could have written it', async () => {
    await remember(deps(), [entry])
    await chmod(join(where(), 'federations.json'), 0o666)
    expect(await readIndex(deps())).toEqual([])
  })
})

describe('the note of a sandbox that runs', () => {
  const where = () => join(cloud.home, '.local', 'state', 'coe', 'sandbox.json')
  const stop = () => runCoe('sandbox stop', { home: cloud.home })

  it.each<[string, (own: Record<string, unknown>) => unknown]>([
    ['no JSON', () => '{'],
    ['null', () => null],
    ['a process that is none', own => ({ ...own, pid: -1 })],
    ['no folder', ({ folder: _, ...own }) => own],
    ['the folder of something else', own => ({ ...own, folder: cloud.home })],
    ['no format', ({ format: _, ...own }) => own],
  ])('is as good as none: %s', async (_, spoil) => {
    // its process is long gone, which is when the folder is removed
    const own = { format: 1, pid: 2 ** 22 + 1, started: '1', folder: '/tmp/coe-sandbox-none', env: {}, like: {} }
    await mkdir(dirname(where()), { recursive: true })
    const content = spoil(own)
    await writeFile(where(), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 })
    expect(await stop()).toMatchObject({ code: 0, out: 'no sandbox is running\n' })
    expect((await stat(cloud.home)).isDirectory()).toBe(true)
  })
})
