/** `magnum:NAME` in standalone mode, and what belongs to standalone mode in Magnum's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { apiServersIn } from '../../../../src/sandbox/playground.ts'
import { send } from '../../../sandbox/request.ts'
import { startCloud, type TestCloud } from '../../../support/cloud.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
let cloud: TestCloud
const standalone = (line: string) => lab.run(line, { env: cloud.env })
beforeAll(async () => {
  lab = await startLab({ members: 0 })
  cloud = await startCloud({ clusters: 1, apiServers: apiServersIn(lab.sandbox) })
})
afterAll(async () => {
  await cloud.close()
  await lab.close()
})

describe('a cluster of a Magnum, standalone', () => {
  it('is shown as Magnum knows it, and no certificate is made for that', async () => {
    for (const ref of ['magnum:cluster1', 'cluster1']) {
      cloud.sandbox.log.clear()
      const { code, out } = await standalone(`cluster show ${ref} -f json`)
      expect([code, JSON.parse(out)]).toMatchObject([0, { name: 'cluster1', status: 'CREATE_COMPLETE', node_count: 1 }])
      expect(cloud.sandbox.log.all().filter(e => e.url.includes('certificates'))).toEqual([])
    }
  })

  it('is asked itself with --probe, and keeps what Magnum knows better', async () => {
    const { code, out } = await standalone('cluster show magnum:cluster1 --probe -f json')
    const cluster = JSON.parse(out)
    expect(code).toBe(0)
    expect(cluster).toMatchObject({ status: 'CREATE_COMPLETE', node_count: 1, health_status: 'HEALTHY', host_of: [] })
    expect(cluster.uuid).toBe((await cloud.run('cluster show cluster1 -f value -c uuid')).out.trim())
  })

  it('gives a kubeconfig with a certificate of its own', async () => {
    const { code, out } = await standalone('cluster config magnum:cluster1 --stdout')
    expect(code).toBe(0)
    const { clusters, users } = parse(out)
    const decode = (data: string) => Buffer.from(data, 'base64').toString()
    const credentials = {
      ca: decode(clusters[0].cluster['certificate-authority-data']),
      cert: decode(users[0].user['client-certificate-data']),
      key: decode(users[0].user['client-key-data']),
    }
    expect((await send('GET', `${clusters[0].cluster.server}/api/v1/nodes`, credentials)).status).toBe(200)
  })

  it('is changed by Magnum, whose driver is known without the prefix; no certificate is made to tell that', async () => {
    cloud.sandbox.log.clear()
    const { code, err } = await standalone('cluster delete cluster1')
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/use Magnum mode: coe cluster delete --os-cloud \S+ cluster1/),
    ])
    expect(err).toContain('driver magnum_v1 cannot delete cluster "cluster1"')
    expect(cloud.sandbox.log.all().filter(e => e.method !== 'GET' && !e.url.includes('auth'))).toEqual([])
  })

  it('that is not there is not found, with its prefix and without', async () => {
    for (const ref of ['magnum:nosuch', 'nosuch']) {
      const { code, err } = await standalone(`cluster show ${ref}`)
      expect([code, err]).toEqual([3, expect.stringContaining('nosuch')])
    }
  })

  it('leaves a federation by force with lines that kubectl can run: there is no context for it', async () => {
    expect((await lab.run('federation create fed --host host --expose nodeport')).code).toBe(0)
    expect((await standalone('federation join fed magnum:cluster1')).code).toBe(0)
    const { code, out } = await standalone('federation unjoin fed cluster1 --force --yes')
    expect(code).toBe(0)
    expect(out).toContain('kubectl needs a context for cluster1 first\nmake one: coe cluster config cluster1 --merge\n')
    expect(out).toContain('kubectl --context cluster1 delete clusterrole,clusterrolebinding')
    expect(out).not.toContain('--context magnum:')
  })

  it('needs a cloud', async () => {
    const { code, err } = await lab.run('cluster show magnum:cluster1')
    expect([code, err]).toEqual([2, expect.stringContaining('a "magnum:" cluster needs a cloud')])
  })
})

describe('in the mode of Magnum', () => {
  it('its own prefix may be written', async () => {
    const named = await cloud.run('cluster show magnum:cluster1 -f json')
    expect(JSON.parse(named.out).name).toBe('cluster1')
    expect((await cloud.run('cluster config magnum:cluster1 --stdout')).code).toBe(0)
  })

  it.each([
    ['cluster show kube:c2', 'coe --standalone cluster show kube:c2'],
    ['cluster config capi:c2 --stdout', 'coe --standalone cluster config capi:c2'],
    ['cluster list --probe', 'coe --standalone cluster list --probe'],
    ['cluster show cluster1 --probe', 'coe --standalone cluster show magnum:cluster1 --probe'],
  ])('%s is refused, with the line that does it', async (line, hint) => {
    const { code, out, err } = await cloud.run(line)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`hint: ${hint}\n`)
  })
})

describe('a cloud that does not answer', () => {
  it('may have what is no context: it is not missing', async () => {
    const env = { ...cloud.env, OS_AUTH_URL: 'http://127.0.0.1:1/v3' }
    for (const line of ['cluster show cluster1', 'federation show nofed --host cluster1']) {
      const { code, err } = await lab.run(line, { env })
      expect([code, err]).toEqual([
        1,
        expect.stringContaining('there is no context "cluster1" in the kubeconfig, and no'),
      ])
      expect(err).toContain('refused the connection')
    }
  })
})
