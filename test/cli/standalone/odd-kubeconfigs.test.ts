/** Kubeconfigs that are in order, however odd they look. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { changed, file, type Loose, plugin } from '../../support/refusals.ts'
import type { RunOptions } from '../../support/run.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'
import { type Tunnel, tunnelTo } from '../../support/tunnel.ts'

let lab: StandaloneLab
let tunnel: Tunnel
beforeAll(async () => {
  lab = await startLab()
  tunnel = await tunnelTo(lab.sandbox.cluster('c2').url)
})
afterAll(async () => {
  tunnel.close()
  await lab.close()
})

describe('what is in order, however odd it looks', () => {
  const shows = async (KUBECONFIG: string, more: RunOptions = {}) => {
    const r = await lab.run('cluster show c2 --probe -f value -c name', { ...more, env: { KUBECONFIG, ...more.env } })
    expect(r).toMatchObject({ code: 0, out: 'c2\n' })
  }

  it('a list of files: what one lacks the other has, and the first that says something holds', async () => {
    const config = parse(lab.sandbox.kubeconfig) as Loose
    const users = await file(lab, stringify({ users: config.users }))
    const rest = await file(lab, stringify({ clusters: config.clusters, contexts: config.contexts }))
    const wrong = await file(lab, stringify({ users: [{ name: 'c2-admin', user: { token: 'wrong' } }] }))
    await shows(`${users}:/nowhere:${rest}:${wrong}`)
    const r = await lab.run('cluster show c2 --probe', { env: { KUBECONFIG: `${wrong}:${rest}:${users}` } })
    expect(r.err + r.out).toContain('does not accept the credentials')
  })

  it('files beside the kubeconfig, named from there, wherever one is', async () => {
    const path = await changed(lab, 'c2', e => {
      const { user } = e.user
      e.user.user = {
        'client-certificate': 'pki/me.crt',
        'client-key': 'pki/me.key',
        was: { ...user, ca: e.cluster['certificate-authority-data'] },
      }
      delete e.cluster['certificate-authority-data']
      e.cluster['certificate-authority'] = './pki/ca.crt'
    })
    const folder = join(path, '../pki')
    await mkdir(folder)
    const config = parse(lab.sandbox.kubeconfig) as Loose
    const put = (name: string, data: string) => writeFile(join(folder, name), Buffer.from(data, 'base64'))
    await put('ca.crt', config.clusters[1].cluster['certificate-authority-data'])
    await put('me.crt', config.users[1].user['client-certificate-data'])
    await put('me.key', config.users[1].user['client-key-data'])
    await shows(path, { cwd: '/' })
  })

  it('another address, with the name or the address that the certificate has', async () => {
    const { hostname } = new URL(lab.sandbox.cluster('c2').url)
    for (const name of [hostname, 'kubernetes']) {
      const path = await changed(lab, 'c2', e => {
        e.cluster.server = tunnel.url
        e.cluster['tls-server-name'] = name
      })
      await shows(path)
    }
  })

  it('two entries of one name in one file: the first holds, and that is said', async () => {
    const path = await changed(lab, 'c2', e =>
      e.config.contexts.push({ name: 'c2', context: { cluster: 'c3', user: 'c3-admin' } }),
    )
    await shows(path)
  })

  it('a plugin that gives a token', async () => {
    const token = lab.sandbox.cluster('c2').staticToken('plugin', ['system:masters'])
    const answer = JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token },
    })
    const path = await changed(lab, 'c2', plugin({ args: ['-c', `echo '${answer}'`] }))
    await shows(path, { secrets: [token] })
  })
})
