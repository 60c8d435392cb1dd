/** `coe --standalone doctor`: each thing that can be wrong with a context, found, and what to do about it. */
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import type { RunOptions } from '../../support/run.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

let lab: StandaloneLab
let original: string
beforeAll(async () => {
  lab = await startLab({ members: 1 })
  original = await readFile(lab.kubeconfig, 'utf8')
})
afterAll(() => lab.close())
beforeEach(async () => {
  await writeFile(lab.kubeconfig, original)
  lab.sandbox.faults.clear()
  lab.sandbox.log.clear()
})

interface Row {
  check: string
  status: string
  detail: string
  remedy: string | null
}
// biome-ignore lint/suspicious/noExplicitAny: YAML of every shape
type Yaml = any
/** Edits what c2 is reached by. */
async function change(edit: (parts: { cluster: Yaml; user: Yaml; config: Yaml }) => void): Promise<void> {
  const config = parse(original)
  const { cluster, user } = config.contexts.find((c: Yaml) => c.name === 'c2').context
  const named = (list: Yaml[], name: string) => list.find(one => one.name === name)
  edit({ config, cluster: named(config.clusters, cluster).cluster, user: named(config.users, user).user })
  await writeFile(lab.kubeconfig, stringify(config))
}

async function doctor(options: RunOptions = {}, words = '') {
  const { code, out, err } = await lab.run(`doctor -f json ${words}`, options)
  if (!options.tty) expect(err).toBe('') // a terminal is shown that it goes on
  const rows = (JSON.parse(out) as Row[]).filter(row => row.check.startsWith('context '))
  return { code, rows, c2: rows.filter(row => row.check.startsWith('context c2')) }
}

describe('coe doctor, standalone', () => {
  it('has one line for each context where all is well', async () => {
    const { code, rows } = await doctor()
    expect(code).toBe(0)
    expect(rows.map(r => [r.check, r.status])).toEqual([
      ['context host', 'ok'],
      ['context c2', 'ok'],
    ])
    expect(rows[1]?.detail).toMatch(
      /^https:\/\/127[\d.:]+: v1\.[\d.]+, as c2-admin; usable as host and as member of federations$/,
    )
  })

  it('leaves the cloud alone, and warns where there is no kubeconfig', async () => {
    const { code, out } = await lab.run('doctor -f json', { env: { KUBECONFIG: '/nowhere/kubeconfig' } })
    const rows = JSON.parse(out) as Row[]
    expect(code).toBe(0)
    expect(rows.find(r => r.check === 'cloud')).toMatchObject({ status: 'skip' })
    expect(rows.find(r => r.check === 'kubeconfig')).toMatchObject({
      status: 'warn',
      remedy: expect.stringContaining('--kubeconfig'),
    })
  })

  it.each<[string, Parameters<typeof change>[0], string, string, string]>([
    [
      'a name that does not exist',
      ({ cluster }) => (cluster.server = 'https://nosuch.invalid:6443'),
      'dns',
      'has a name that cannot be resolved',
      'check the spelling',
    ],
    [
      'a port where nobody listens',
      ({ cluster }) => (cluster.server = 'https://127.0.0.1:1'),
      'tcp',
      'refused the connection',
      'is the service running',
    ],
    [
      'a proxy that is not there',
      ({ cluster }) => (cluster['proxy-url'] = 'http://127.0.0.1:1'),
      'tcp',
      'the proxy for the API server of "c2" refused the connection',
      'is the service running',
    ],
    [
      'an authority that did not sign',
      ({ cluster, config }) =>
        (cluster['certificate-authority-data'] = config.clusters[0].cluster['certificate-authority-data']),
      'tls',
      'presents a certificate',
      '"certificate-authority" of cluster "c2"',
    ],
    [
      'a certificate for another name',
      ({ cluster }) => (cluster['tls-server-name'] = 'api.example.com'),
      'tls',
      'is for another name',
      'use a name that the certificate holds',
    ],
    [
      'a file that is not there',
      ({ user }) => {
        delete user['client-key-data']
        user['client-key'] = 'gone.key'
      },
      'kubeconfig',
      'gone.key, the client-key of user "c2-admin"',
      '',
    ],
    [
      'credentials that are not accepted',
      ({ user }) => {
        for (const key of Object.keys(user)) delete user[key]
        user.token = 'not-a-token'
      },
      'login',
      'does not accept the credentials',
      'get new credentials',
    ],
  ])('finds %s', async (_, edit, check, detail, remedy) => {
    await change(edit)
    const { code, c2 } = await doctor()
    expect(code).toBe(1)
    expect(c2.map(r => [r.check, r.status])).toEqual([[`context c2 ${check}`, 'fail']])
    expect(c2[0]?.detail).toContain(detail)
    expect(c2[0]?.remedy ?? '').toContain(remedy)
  })

  it('goes on with the others after one that is silent', async () => {
    lab.sandbox.cluster('c2').faults.order({ effect: { kind: 'silence-before' }, times: Number.POSITIVE_INFINITY })
    const { code, rows } = await doctor({}, '--timeout 2s')
    expect(code).toBe(1)
    expect(rows.map(r => [r.check, r.status])).toEqual([
      ['context host', 'ok'],
      ['context c2 login', 'fail'],
    ])
    expect(rows[1]?.detail).toContain('did not answer within 2 s')
  })

  it('warns of what is not verified, and of a clock that is wrong', async () => {
    await change(({ cluster }) => {
      delete cluster['certificate-authority-data']
      cluster['insecure-skip-tls-verify'] = true
    })
    const { code, c2 } = await doctor()
    expect([code, c2.map(r => [r.check, r.status])]).toEqual([0, [['context c2 tls', 'warn']]])
    await writeFile(lab.kubeconfig, original)
    const late = { now: () => Date.now() + 600_000, sleep: async () => {} }
    const skewed = await doctor({ clock: late })
    expect([skewed.code, skewed.c2.map(r => [r.check, r.status])]).toEqual([1, [['context c2 clock', 'fail']]])
    expect(skewed.c2[0]).toMatchObject({
      detail: expect.stringMatching(/is (599|60\d) s ahead of the server/),
      remedy: expect.stringContaining('timedatectl'),
    })
  })

  it('says to whom federations would be refused', async () => {
    const token = lab.sandbox.cluster('c2').staticToken('guest')
    await change(({ user }) => {
      for (const key of Object.keys(user)) delete user[key]
      user.token = token
    })
    const { code, c2 } = await doctor()
    expect(code).toBe(0)
    expect(c2).toMatchObject([
      { check: 'context c2 rights', status: 'warn', remedy: expect.stringContaining('docs/rbac.md') },
    ])
  })

  it('starts no plugin that can only ask, and says how to', async () => {
    const trace = join(lab.home, 'started')
    const plugin = join(lab.home, 'plugin')
    await writeFile(plugin, `#!/bin/sh\ntouch ${trace}\n`)
    await chmod(plugin, 0o700)
    await change(({ user }) => {
      for (const key of Object.keys(user)) delete user[key]
      user.exec = { apiVersion: 'client.authentication.k8s.io/v1', command: plugin, interactiveMode: 'Always' }
    })
    const { code, c2 } = await doctor({ tty: true })
    expect(code).toBe(0)
    expect(c2).toMatchObject([
      { check: 'context c2 login', status: 'skip', detail: expect.stringContaining('it was not started') },
    ])
    await expect(readFile(trace)).rejects.toThrow('ENOENT')
  })
})
