import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../support/cloud.ts'
import type { RunOptions } from '../support/run.ts'
import { runCoe } from '../support/run.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud()
})
afterAll(() => cloud.close())
afterEach(() => cloud.sandbox.faults.clear())

interface Row {
  check: string
  status: string
  detail: string
  remedy: string | null
}

async function doctor(options: RunOptions = {}, line = '') {
  const { code, out, err } = await cloud.run(`doctor ${line} -f json`, options)
  const rows = JSON.parse(out) as Row[]
  const of = (check: string) => {
    const row = rows.find(r => r.check === check)
    if (!row) throw new Error(`no check "${check}" among ${rows.map(r => r.check).join(', ')}`)
    return row
  }
  const status = (wanted: string) => rows.filter(r => r.status === wanted).map(r => r.check)
  return { code, err, rows, of, failed: status('fail'), warned: status('warn'), skipped: status('skip') }
}

describe('coe doctor', () => {
  it('finds nothing wrong where nothing is', async () => {
    const { code, failed, warned, of, rows } = await doctor()
    expect({ code, failed, warned }).toEqual({ code: 0, failed: [], warned: [] })
    expect(rows.map(r => r.check)).toEqual([
      ...['program', 'settings', 'proxies', 'cloud'],
      ...['keystone dns', 'keystone tcp', 'keystone tls', 'keystone api', 'login'],
      ...['catalog', 'magnum dns', 'magnum tcp', 'magnum tls', 'magnum api', 'clock'],
      ...['token cache', 'kubeconfig', 'drivers'],
    ])
    expect(of('keystone tls').detail).toMatch(/^localhost ← coe sandbox \(a simulation\), valid until 20\d\d-/)
    expect(of('keystone api').detail).toBe('Keystone v3.14')
    expect(of('login').detail).toMatch(/^as demo in project demo \(roles: .*member.*\), until /)
    expect(of('magnum api').detail).toBe('Magnum API 1.1 to 1.10; its clusters can be listed')
    expect(of('token cache').detail).toContain('(1 token), readable only by you')
  })

  it('tries the credentials themselves, whatever token is kept', async () => {
    await cloud.run('auth login')
    const { code, of, skipped } = await doctor({ env: { OS_PASSWORD: 'not-the-one' }, secrets: ['not-the-one'] })
    expect(code).toBe(1)
    expect(of('login')).toMatchObject({ status: 'fail', remedy: expect.stringContaining('coe config view --origin') })
    expect(of('login').detail).toContain('Keystone refused the credentials')
    expect(skipped).toEqual(expect.arrayContaining(['catalog', 'magnum api']))
  })

  it('does not ask for a password, and says who does', async () => {
    const { of } = await doctor({ env: { OS_PASSWORD: undefined, OS_USERNAME: 'demo2' }, tty: true })
    expect(of('login')).toMatchObject({ status: 'fail', remedy: expect.stringContaining('coe auth login') })
  })

  it('knows a certificate that nobody signed whom we know', async () => {
    const { failed, of } = await doctor({ env: { OS_CACERT: undefined } })
    expect(failed).toEqual(['keystone tls'])
    expect(of('keystone tls').detail).toContain('no known authority signed')
    expect(of('keystone tls').detail).toContain('coe sandbox (a simulation)')
    expect(of('keystone tls').remedy).toContain('--os-cacert FILE')
  })

  it('knows a file of authorities that is not there', async () => {
    const { failed, of } = await doctor({ env: { OS_CACERT: '/nowhere/ca.pem' } })
    expect(failed).toEqual(['keystone tls'])
    expect(of('keystone tls').detail).toContain('cannot read the CA file /nowhere/ca.pem')
    expect(of('keystone tls').remedy).toContain('config view --origin')
  })

  it('warns where certificates are not verified', async () => {
    const { code, warned } = await doctor({ env: { OS_CACERT: undefined } }, '--insecure')
    expect(code).toBe(0)
    expect(warned).toEqual(['keystone tls', 'magnum tls'])
  })

  it('tells a clock that is wrong, and a certificate that is about to expire', async () => {
    const { sandbox } = cloud
    const days = 20 * 24 * 3_600_000
    const clock = { now: () => sandbox.clock.now() + days, sleep: async () => {} }
    const { failed, of, warned } = await doctor({ clock })
    expect(failed).toContain('clock')
    expect(of('clock').detail).toMatch(/is 17\d{5} s ahead of the server/)
    expect(of('clock').remedy).toContain('timedatectl')
    expect(warned).toContain('keystone tls')
    expect(of('keystone tls').detail).toContain('expires soon')
  })

  it('takes the time from a new token where servers do not date their answers, and where the login fails from theirs', async () => {
    const undated = {
      kind: 'answer',
      status: 200,
      body: '{"version": {"id": "v3.14"}}',
      headers: { Date: '' },
    } as const
    cloud.sandbox.faults.order({ service: 'keystone', method: 'GET', path: /v3$/, times: 1, effect: undated })
    cloud.sandbox.faults.order({ service: 'magnum', path: /clusters/, times: 1, effect: { ...undated, status: 404 } })
    expect((await doctor()).of('clock')).toMatchObject({ status: 'ok', detail: expect.stringContaining('agrees') })
    cloud.sandbox.faults.clear()
    const { of } = await doctor({ env: { OS_PASSWORD: 'wrong' } })
    expect([of('login').status, of('clock').status]).toEqual(['fail', 'ok'])
  })

  it.each<[string, string, string, string]>([
    ['a name that does not exist', 'https://nosuch.invalid/v3', 'keystone dns', 'check the spelling'],
    ['a port where nobody listens', 'http://127.0.0.1:1/v3', 'keystone tcp', 'is the service running'],
  ])('%s', async (_, url, check, remedy) => {
    const { code, failed, of } = await doctor({ env: { OS_AUTH_URL: url } })
    expect({ code, failed }).toEqual({ code: 1, failed: [check] })
    expect(of(check).remedy).toContain(remedy)
  })

  it('knows that it is not Keystone', async () => {
    const magnum = cloud.sandbox.magnumUrl.replace(/v1$/, 'v3')
    const { failed, of } = await doctor({ env: { OS_AUTH_URL: magnum } })
    expect(failed).toEqual(['keystone api'])
    expect(of('keystone api').detail).toContain('not as a Keystone v3 API')
    cloud.sandbox.faults.order({ service: 'keystone', effect: { kind: 'garbage' } })
    const page = await doctor()
    expect(page.of('keystone api').detail).toContain('answered with a web page')
  })

  it('goes on to Magnum, and knows what is not Magnum', async () => {
    const { failed, of } = await doctor({}, `--os-endpoint-override ${cloud.sandbox.authUrl}`)
    expect(failed).toEqual(['magnum api'])
    expect(of('catalog').detail).toContain('(override)')
    expect(of('magnum api').detail).toContain('not as Magnum')
    const region = await doctor({ env: { OS_REGION_NAME: 'Elsewhere' } })
    expect(region.failed).toEqual(['catalog'])
    expect(region.of('catalog').remedy).toContain('RegionOne')
  })

  it('names a token without a project', async () => {
    const { of } = await doctor({ env: { OS_USERNAME: 'norole', OS_PROJECT_NAME: undefined } })
    expect(of('login')).toMatchObject({ status: 'fail', detail: expect.stringContaining('no project') })
  })

  it('warns of an old server', async () => {
    const old = await startCloud({ tls: false, magnumMax: '1.6' })
    try {
      const { code, out } = await old.run('doctor -f json')
      expect(code).toBe(0)
      const rows = JSON.parse(out) as Row[]
      expect(rows.find(r => r.check === 'magnum api')).toMatchObject({ status: 'warn' })
      expect(rows.find(r => r.check === 'keystone tls')).toMatchObject({ status: 'ok' })
    } finally {
      await old.close()
    }
  })

  it('looks at what lies on this machine', async () => {
    await cloud.run('auth login')
    const tokens = join(cloud.home, '.cache', 'coe', 'tokens')
    const config = join(cloud.home, '.config', 'coe')
    const kube = join(cloud.home, 'kube.yaml')
    await chmod(tokens, 0o755)
    await mkdir(config, { recursive: true })
    await writeFile(join(config, 'config.yaml'), 'colour: never\n')
    await writeFile(kube, 'contexts: {}\n', { mode: 0o600 })
    const { of, failed } = await doctor({ env: { KUBECONFIG: kube } })
    expect(failed).toEqual(['token cache', 'kubeconfig'])
    expect(of('token cache').remedy).toBe(`chmod -R go= ${tokens}`)
    expect(of('settings')).toMatchObject({ status: 'warn', detail: expect.stringContaining('did you mean "color"') })
    expect(of('kubeconfig').detail).toContain('"contexts" in the kubeconfig')
    await writeFile(kube, 'current-context: gone\n')
    await chmod(tokens, 0o700)
    const again = await doctor({ env: { KUBECONFIG: kube } })
    expect(again.of('kubeconfig')).toMatchObject({ status: 'warn', detail: expect.stringContaining('current gone') })
    await writeFile(kube, '{}\n')
    await chmod(kube, 0o644)
    const open = await doctor({ env: { KUBECONFIG: kube } })
    expect(open.of('kubeconfig')).toMatchObject({ status: 'warn', remedy: `chmod go= ${kube}` })
    await rm(join(config, 'config.yaml'))
  })

  it('warns of a clouds.yaml with a password in it that others may read', async () => {
    const { OS_AUTH_URL: auth_url, OS_USERNAME: username, OS_PASSWORD: password, OS_CACERT: cacert } = cloud.env
    const who = {
      auth_url,
      username,
      project_name: 'demo',
      user_domain_name: 'Default',
      project_domain_name: 'Default',
    }
    const file = join(cloud.home, 'clouds.yaml')
    const env = {
      OS_CLIENT_CONFIG_FILE: file,
      OS_CLOUD: 'c',
      OS_AUTH_URL: undefined,
      OS_USERNAME: undefined,
      OS_PASSWORD: undefined,
    }
    await writeFile(file, JSON.stringify({ clouds: { c: { auth: { ...who, password }, cacert } } }))
    await chmod(file, 0o644)
    const open = (await doctor({ env })).of('cloud')
    expect(open).toMatchObject({ status: 'warn', remedy: `chmod go= ${file}` })
    expect(open.detail).toContain(`other users can read ${file} and log in with it`)
    await chmod(file, 0o600)
    expect((await doctor({ env })).of('cloud').status).toBe('ok')
    await rm(file)
  })

  it('shows proxies without their passwords, and looks at the way to them', async () => {
    const env = { HTTPS_PROXY: 'http://me:hidden-pass@127.0.0.1:1', NO_PROXY: 'example.com' }
    const { of } = await doctor({ env, secrets: ['hidden-pass'] })
    expect(of('proxies').detail).toBe('HTTPS_PROXY=http://127.0.0.1:1, NO_PROXY=example.com')
    expect(of('keystone tcp')).toMatchObject({ status: 'fail', detail: expect.stringContaining('the proxy for') })
    const socks = await doctor({ env: { HTTPS_PROXY: 'socks5://127.0.0.1:1' } })
    expect(socks.of('proxies').status).toBe('fail')
  })

  it('is content without a cloud: there is standalone mode', async () => {
    const { code, out } = await runCoe('doctor -f json', { home: cloud.home, cwd: cloud.home })
    expect(code).toBe(0)
    expect((JSON.parse(out) as Row[]).find(r => r.check === 'cloud')).toMatchObject({ status: 'skip' })
  })
})

it('--timeout is for contexts', async () => {
  const r = await cloud.run('doctor --timeout 5s')
  expect([r.code, r.err]).toEqual([2, expect.stringContaining('--timeout: this option is for standalone mode')])
  const list = await cloud.run('federation list --timeout 5s')
  expect([list.code, list.err]).toEqual([2, expect.stringContaining('--timeout')])
  const clusters = await cloud.run('cluster list --timeout 5s')
  expect([clusters.code, clusters.err]).toEqual([
    2,
    expect.stringContaining('--timeout: this option is for standalone mode'),
  ])
})
