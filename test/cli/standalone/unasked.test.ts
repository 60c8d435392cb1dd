/** A cluster that does not answer has said nothing: what it may have is not missing. */
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { changed } from '../../support/refusals.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

let lab: StandaloneLab
let original: string
beforeAll(async () => {
  lab = await startLab()
  original = lab.sandbox.kubeconfig
  for (const line of ['create myfed --host host --expose nodeport', 'join myfed c2']) {
    expect(await lab.run(`federation ${line}`)).toMatchObject({ code: 0 })
  }
})
afterAll(() => lab.close())
/** Enough for who answers, on a busy machine as well. */
const limit = '2s'
const index = () => join(lab.home, '.local/state/coe/federations.json')
/** As on a machine that never saw the federation. */
beforeEach(async () => {
  await writeFile(lab.kubeconfig, original)
  await rm(join(lab.home, '.local/state/coe'), { recursive: true, force: true })
})
afterEach(async () => {
  lab.sandbox.faults.clear()
})

const silence = () =>
  lab.sandbox.host.faults.order({ effect: { kind: 'silence-before' }, times: Number.POSITIVE_INFINITY })
/** The same machine with another kubeconfig, in which nothing leads to the host. */
const withoutHost = async () => {
  const config = parse(original)
  config.contexts = config.contexts.filter((c: { name: string }) => c.name !== 'host')
  config['current-context'] = 'c2'
  const path = join(lab.home, 'without-host')
  await writeFile(path, stringify(config), { mode: 0o600 })
  return { env: { KUBECONFIG: path } }
}
const stands = async () =>
  expect((await lab.run('federation show myfed --host host -f value -c name')).out).toBe('myfed\n')

describe('a host that cannot be asked', () => {
  it.each([
    'federation show myfed',
    'federation status myfed',
    'federation members myfed',
    'federation update myfed --property a=b',
    'federation kubeconfig myfed --merge',
    'federation join myfed c3',
    'federation unjoin myfed c2',
    'federation unjoin myfed c2 --workloads delete --yes',
    'federation delete myfed --yes',
    'federation delete myfed --yes --ignore-not-found',
    'federation delete 7d8f6a52-2b9a-4d0e-9a5c-3f1f0a6b7c8d --yes --ignore-not-found',
    'join c3 --federation myfed',
    'unjoin c2 --federation myfed',
  ])('%s: is a failure that names it, and nothing is changed', async line => {
    const had = lab.objects()
    await lab.sandbox.host.stop()
    const r = await lab.run(line)
    await lab.sandbox.host.start()
    expect(r).toMatchObject({ code: 1, out: '' })
    expect(r.err).toMatch(/cannot tell whether federation "[\w-]+" exists: 1 of 3 clusters did not answer/)
    expect(r.err).toContain('the API server of "host" refused the connection')
    expect(r.err).toContain('--host NAME searches')
    expect(lab.objects()).toEqual(had)
  })

  it('and says nothing is waited for as long as --timeout says, and told as data as well', async () => {
    silence()
    const r = await lab.run(`federation delete myfed --yes --ignore-not-found --timeout ${limit} -f json`)
    expect([r.code, JSON.parse(r.out)]).toMatchObject([1, [{ federation: 'myfed', uuid: null, result: 'failed' }]])
    const [first = ''] = r.err.split('\n')
    expect(JSON.parse(first)).toMatchObject({
      error: { unasked: ['host'], hint: expect.stringContaining('did not answer within 2 s') },
    })
  })

  it('does not keep a federation of another host from being found', async () => {
    lab.sandbox.cluster('c3').faults.order({ effect: { kind: 'silence-before' }, times: Number.POSITIVE_INFINITY })
    const r = await lab.run(`federation show myfed --timeout ${limit} -f value -c name`)
    expect(r).toMatchObject({ code: 0, out: 'myfed\n', err: '' })
  })

  it('that refuses connections, has a plugin that fails, or may not be looked into, is the same', async () => {
    const line = 'federation delete myfed --yes --ignore-not-found'
    await lab.sandbox.host.stop()
    const refused = await lab.run(line)
    await lab.sandbox.host.start()
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('refused the connection') })
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'sh',
      args: ['-c', 'echo expired >&2; exit 1'],
    }
    const plugin = await changed(lab, 'host', e => (e.user.user = { exec }))
    const failing = await lab.run(line, { env: { KUBECONFIG: plugin } })
    expect(failing).toMatchObject({ code: 1, err: expect.stringContaining('failed (exit 1): expired') })
    const token = lab.sandbox.host.staticToken('guest')
    const guest = await changed(lab, 'host', e => (e.user.user = { token }))
    const denied = await lab.run(line, { env: { KUBECONFIG: guest } })
    expect(denied).toMatchObject({ code: 1, err: expect.stringContaining('does not let "guest"') })
    await stands()
  })

  it('and is no API server at all says nothing of what it has', async () => {
    const server = createServer((_, response) => void response.writeHead(404).end('404 page not found\n'))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const env = { KUBECONFIG: await changed(lab, 'host', e => (e.cluster.server = `http://127.0.0.1:${port}`)) }
    const searched = await lab.run('federation delete myfed --yes --ignore-not-found', { env })
    const named = await lab.run('federation delete myfed --host host --yes --ignore-not-found', { env })
    server.close()
    for (const r of [searched, named]) {
      expect(r).toMatchObject({ code: 1, err: expect.stringContaining('is not a Kubernetes API server') })
    }
  })

  it('of many names five at most, and counts the others', async () => {
    const config = parse(original)
    for (let i = 0; i < 20; i++) {
      config.clusters.push({ name: `dead-${i}`, cluster: { server: 'https://127.0.0.1:1' } })
      config.contexts.push({ name: `dead-${i}`, context: { cluster: `dead-${i}`, user: 'host-admin' } })
    }
    await writeFile(lab.kubeconfig, stringify(config))
    const r = await lab.run('federation show nofed')
    expect([r.code, r.err]).toEqual([1, expect.stringContaining('20 of 23 clusters did not answer')])
    expect(r.err).toContain('no answer from 20 clusters (dead-0, dead-1, dead-10, …); the first:')
    expect(r.err).not.toContain('dead-17')
    const list = await lab.run('federation list --all-contexts')
    expect(list.code).toBe(6)
    expect(list.err.match(/refused the connection/g)).toHaveLength(5)
    expect(list.err).toContain('15 more clusters did not answer')
    const near = await lab.run('cluster show nothing-like-it')
    expect([near.code, near.err]).toEqual([3, expect.stringContaining('contexts: 23 (host, c2, c3, …)')])
  })
})

describe('where everybody answers', () => {
  it('what nobody has is missing', async () => {
    expect(await lab.run('federation show nofed')).toMatchObject({
      code: 3,
      err: expect.stringContaining('contexts searched: host, c2, c3'),
    })
    const r = await lab.run('federation delete nofed --yes --ignore-not-found -f json')
    expect([r.code, JSON.parse(r.out)]).toMatchObject([0, [{ result: 'missing' }]])
  })

  it('a host that is not found is no federation that is missing', async () => {
    const r = await lab.run('federation delete myfed --host hsot --yes --ignore-not-found')
    expect([r.code, r.err]).toEqual([3, expect.stringContaining('there is no context "hsot"')])
    await stands()
  })
})

describe('a host that was named once', () => {
  it('is asked first the next time, and nobody else then', async () => {
    expect((await lab.run('federation show myfed --host host')).code).toBe(0)
    lab.sandbox.log.clear()
    expect((await lab.run('federation show myfed')).code).toBe(0)
    const asked = lab.sandbox.log.all().filter(e => e.agent.startsWith('coe/'))
    expect(new Set(asked.map(e => e.service))).toEqual(new Set(['kube:host', 'karmada:coe-fed-myfed']))
  })

  it('is missed where nothing leads to it any more', async () => {
    expect((await lab.run('federation list --host host')).code).toBe(0)
    const r = await lab.run('federation delete myfed --yes --ignore-not-found', await withoutHost())
    expect([r.code, r.err]).toEqual([1, expect.stringContaining('1 of 3 clusters did not answer')])
    expect(r.err).toContain(`"host", where it was when it was last seen, is no cluster that can be found from here`)
    expect(r.err).toContain(`remove its entry from ${index()}`)
    const list = await lab.run('federation list', await withoutHost())
    expect([list.code, list.err]).toEqual([6, expect.stringContaining('"host" had a federation, and cannot be found')])
    await rm(index())
    const gone = await lab.run('federation delete myfed --yes --ignore-not-found', await withoutHost())
    expect([gone.code, gone.err]).toEqual([0, expect.stringContaining('nothing to delete')])
  })

  it('though it did not answer then, until it does', async () => {
    silence()
    expect((await lab.run(`federation show nofed --host host --timeout ${limit}`)).code).toBe(1)
    lab.sandbox.faults.clear()
    const r = await lab.run('federation show nofed', await withoutHost())
    expect([r.code, r.err]).toEqual([1, expect.stringContaining('"host", where it was')])
    expect((await lab.run('federation show nofed')).code).toBe(3)
    expect((await lab.run('federation show nofed', await withoutHost())).code).toBe(3)
  })
})

describe('the only federation there is (kubefed)', () => {
  it('is not known while somebody does not answer', async () => {
    await lab.sandbox.cluster('c3').stop()
    const r = await lab.run('unjoin c2')
    await lab.sandbox.cluster('c3').start()
    expect([r.code, r.err]).toEqual([1, expect.stringContaining('the others have only "myfed"')])
    expect(r.err).toContain('--federation myfed')
  })
})

describe('credential plugins in a search', () => {
  const answer = (token: string) =>
    JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } })
  const usePlugin = async (script: string, more: object = {}) => {
    const path = join(lab.home, 'plugin')
    await writeFile(path, `#!/bin/sh\n${script}\n`)
    await chmod(path, 0o700)
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: path, ...more }
    return { env: { KUBECONFIG: await changed(lab, 'host', e => (e.user.user = { exec })) } }
  }

  it('run without stdin and a terminal, and are told that nobody is there', async () => {
    const token = lab.sandbox.host.staticToken('jane', ['system:masters'])
    const trace = join(lab.home, 'trace')
    const at = await usePlugin(
      `echo "$KUBERNETES_EXEC_INFO $(readlink /proc/self/fd/0) $( (: </dev/tty) 2>&1 | grep -c tty)" >> ${trace}; echo '${answer(token)}'`,
    )
    for (const line of ['federation list', 'federation list --all-contexts', 'cluster list --probe -f json']) {
      const r = await lab.run(line, { ...at, tty: true, secrets: [token] })
      expect([line, r.code]).toEqual([line, 0])
    }
    const lines = (await readFile(trace, 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      expect(line).toContain('"interactive":false')
      expect(line).toMatch(/ \/dev\/null 1$/)
    }
  })

  it('that hang are ended in time, with all that they started, and told', async () => {
    const pids = join(lab.home, 'pids')
    const at = await usePlugin(`trap '' TERM; sleep 600 & echo "$$ $!" > ${pids}; wait; wait; sleep 600`)
    const r = await lab.run(`federation show myfed --timeout ${limit}`, at)
    expect([r.code, r.err]).toEqual([1, expect.stringContaining('did not answer within 4 s')])
    const running = async () => {
      const all = (await readFile(pids, 'utf8')).trim().split(' ').map(Number)
      return all.filter(pid => isThere(pid))
    }
    await expect.poll(running).toEqual([])
  })
})

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
