/** Several backends in one process, without a command line: they share no memory, and no call ends another's work. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadCloud } from '../../src/config/clouds/clouds.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { createRedactor, type Redactor } from '../../src/io/redact.ts'
import type { Backend, Mode } from '../../src/model/backend.ts'
import { type Call, silentReport } from '../../src/model/call.ts'
import { openSession } from '../../src/openstack/session.ts'
import { type KubeSandbox, startKubeSandbox } from '../../src/sandbox/kube/start.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts'
import { openBackend } from '../../src/wiring/open-backend.ts'
import { kubeWorld } from '../support/kube.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coe-two-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Opened {
  backend: Backend
  secrets: Redactor
}

async function open(mode: Mode, env: Record<string, string>): Promise<Opened> {
  const world = kubeWorld({ env })
  const secrets = createRedactor()
  const { addSecret } = secrets
  const cloud = async () => openSession({ cloud: await loadCloud(world, {}), world, userAgent: 'coe/test', addSecret })
  const opening = { world, settings: await loadSettings(world), userAgent: 'coe/test', secrets, warn() {} }
  return { backend: await openBackend(mode, mode === 'magnum' ? { ...opening, cloud } : opening), secrets }
}

function newCall(): { call: Call; end(): void } {
  const controller = new AbortController()
  const call = { signal: controller.signal, caller: { name: 'test', interactive: false }, report: silentReport }
  return { call, end: () => controller.abort(new Error('this call has ended')) }
}

/** Holds requests until opened. */
function gate() {
  let open = () => {}
  const until = new Promise<void>(resolve => {
    open = resolve
  })
  return { until, open }
}

describe('two standalone backends', () => {
  let sandboxes: KubeSandbox[]
  beforeAll(async () => {
    sandboxes = await Promise.all([startKubeSandbox({ members: 0 }), startKubeSandbox({ members: 0 })])
  })
  afterAll(() => Promise.all(sandboxes.map(sandbox => sandbox.close())))

  /** A kubeconfig with contexts of these names, all for that sandbox's host. */
  async function kubeconfigOf(index: number, names: readonly string[]): Promise<{ file: string; token: string }> {
    const { host } = sandboxes[index] as KubeSandbox
    const token = host.staticToken('admin', ['system:masters'])
    const file = join(folder, `kubeconfig-${index}`)
    const ca = Buffer.from(host.caCertificate).toString('base64')
    await writeFile(
      file,
      JSON.stringify({
        clusters: [{ name: 'host', cluster: { server: host.url, 'certificate-authority-data': ca } }],
        users: [{ name: 'admin', user: { token } }],
        contexts: names.map(name => ({ name, context: { cluster: 'host', user: 'admin' } })),
      }),
      { mode: 0o600 },
    )
    return { file, token }
  }

  it('each have a cluster of the same name, and their own secrets', async () => {
    const configs = [await kubeconfigOf(0, ['host']), await kubeconfigOf(1, ['host'])]
    const opened = await Promise.all(configs.map(({ file }) => open('standalone', { KUBECONFIG: file })))
    const look = ({ backend }: Opened) => backend.clusters.get(newCall().call, 'host', { probe: true })
    const [one, other] = await Promise.all(opened.map(look))
    expect(one?.api_address).toBe(sandboxes[0]?.host.url)
    expect(other?.api_address).toBe(sandboxes[1]?.host.url)
    expect(one?.uuid).not.toBe(other?.uuid)
    expect(one?.health_status).toBe('HEALTHY')
    for (const [i, { secrets }] of opened.entries()) {
      const visible = configs.map(({ token }) => secrets.redact(`x ${token} x`).includes(token))
      expect(visible).toEqual(configs.map((_, j) => j !== i))
    }
  })

  it('read the kubeconfig again for each call', async () => {
    const { file } = await kubeconfigOf(0, ['host'])
    const { backend } = await open('standalone', { KUBECONFIG: file })
    const first = newCall().call
    expect((await backend.clusters.get(first, 'host', { probe: true })).health_status).toBe('HEALTHY')
    await kubeconfigOf(0, ['renamed'])
    const found = await backend.clusters.get(newCall().call, 'renamed', { probe: true })
    expect(found).toMatchObject({ name: 'renamed', health_status: 'HEALTHY' })
  })

  it('continue one call when another ends', async () => {
    const { file } = await kubeconfigOf(0, ['host'])
    const { backend } = await open('standalone', { KUBECONFIG: file })
    const { until, open: letThrough } = gate()
    const held = sandboxes[0]?.host.faults.order({ path: /^\/version/, times: 2, effect: { kind: 'hold', until } })
    const [ending, staying] = [newCall(), newCall()]
    const [ended, stayed] = [ending, staying].map(({ call }) => backend.clusters.get(call, 'host', { probe: true }))
    await expect.poll(() => held?.hits, { interval: 5 }).toBe(2)
    ending.end()
    await expect(ended).rejects.toThrow('this call has ended')
    letThrough()
    expect(await stayed).toMatchObject({ health_status: 'HEALTHY' })
    held?.remove()
  })
})

describe('two backends over Magnum', () => {
  let sandboxes: Sandbox[]
  beforeAll(async () => {
    const options = { speed: 0, tls: false }
    sandboxes = await Promise.all([
      startSandbox({ ...options, clusters: 1 }),
      startSandbox({ ...options, clusters: 2 }),
    ])
    const files = sandboxes.map((sandbox, i) => writeFile(join(folder, `clouds-${i}.yaml`), sandbox.cloudsYaml()))
    await Promise.all(files)
  })
  afterAll(() => Promise.all(sandboxes.map(sandbox => sandbox.close())))
  afterEach(() => {
    for (const { faults } of sandboxes) faults.clear()
  })
  const openCloud = (index: number) =>
    open('magnum', { OS_CLIENT_CONFIG_FILE: join(folder, `clouds-${index}.yaml`), OS_CLOUD: 'sandbox' })
  const logins = (index: number) =>
    sandboxes[index]?.log.all().filter(({ method, url }) => method === 'POST' && url.endsWith('/auth/tokens')).length

  it('each have a cloud of the same name', async () => {
    const opened = await Promise.all([openCloud(0), openCloud(1)])
    const names = await Promise.all(
      opened.map(async ({ backend }) => (await backend.clusters.list(newCall().call, {})).map(c => c.name)),
    )
    expect(names).toEqual([['cluster1'], ['cluster1', 'cluster2']])
  })

  it('share a login among their calls, and a call that ends does not abort it for others', async () => {
    const { backend } = await openCloud(0)
    const { until, open: letThrough } = gate()
    const before = logins(0) ?? 0
    const held = sandboxes[0]?.faults.order({ path: /\/auth\/tokens/, effect: { kind: 'hold', until } })
    const [ending, staying] = [newCall(), newCall()]
    const [ended, stayed] = [ending, staying].map(({ call }) => backend.clusters.list(call, {}))
    await expect.poll(() => held?.hits, { interval: 5 }).toBe(1)
    ending.end()
    await expect(ended).rejects.toThrow('this call has ended')
    letThrough()
    expect((await stayed)?.map(c => c.name)).toEqual(['cluster1'])
    expect(logins(0)).toBe(before + 1)
  })

  it('log in for the next call when the call that began the login has ended', async () => {
    const { backend } = await openCloud(0)
    sandboxes[0]?.faults.order({ path: /\/auth\/tokens/, effect: { kind: 'silence-before' } })
    const only = newCall()
    const ended = backend.clusters.list(only.call, {})
    only.end()
    await expect(ended).rejects.toThrow('this call has ended')
    sandboxes[0]?.faults.clear()
    expect(await backend.clusters.list(newCall().call, {})).toHaveLength(1)
  })

  it('delete a cluster for a second call after the first failed', async () => {
    const { backend } = await openCloud(1)
    const op = { wait: false, waitTimeoutMs: 60_000, dryRun: false }
    const remove = () => backend.clusters.delete(newCall().call, 'cluster2', { force: true }, op)
    sandboxes[1]?.faults.order({ method: 'DELETE', effect: { kind: 'answer', status: 403, body: {} } })
    await expect(remove()).rejects.toMatchObject({ outcome: 'denied' })
    expect((await remove()).name).toBe('cluster2')
    const sent = sandboxes[1]?.log.all().filter(({ method }) => method === 'DELETE')
    expect(sent?.map(({ status }) => status)).toEqual([403, 204])
  })
})
