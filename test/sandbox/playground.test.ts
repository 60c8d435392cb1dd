import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, it } from 'vitest'
import { generateKey, privateKeyPem } from '../../src/pki/keys.ts'
import { createRequest } from '../../src/pki/requests.ts'
import { startKubeSandbox } from '../../src/sandbox/kube/start.ts'
import { apiServersIn, startPlayground } from '../../src/sandbox/playground.ts'
import { cloud } from './openstack/cloud.ts'
import { send } from './request.ts'

it('a cluster made by Magnum is a Kubernetes that trusts Magnum’s certificates, until it is deleted', async () => {
  const kube = await startKubeSandbox({ members: 0 })
  try {
    const world = await cloud({ clusters: 1, apiServers: apiServersIn(kube), speed: 100 })
    const demo = world.as('demo/demo')
    const { uuid, api_address: server } = (await demo('GET', '/v1/clusters/cluster1')).json
    const ca = (await demo('GET', `/v1/certificates/${uuid}`)).json.pem
    const { privateKey } = await generateKey()
    const subject = [
      ['CN', 'admin'],
      ['O', 'system:masters'],
    ] as const
    const body = { cluster_uuid: uuid, csr: createRequest(subject, privateKey) }
    const cert = (await demo('POST', '/v1/certificates', body)).json.pem
    const key = privateKeyPem(privateKey)
    const nodes = await send('GET', `${server}/api/v1/nodes`, { ca, cert, key })
    expect([nodes.status, nodes.json.kind]).toEqual([200, 'NodeList'])
    expect((await send('GET', `${server}/api/v1/nodes`, { ca })).status).toBe(403)

    expect((await demo('DELETE', `/v1/clusters/${uuid}`)).status).toBe(204)
    world.sandbox.clock.advance(60_000)
    const { hostname, port } = new URL(server)
    const refused = await new Promise(resolve => {
      connect({ host: hostname, port: Number(port) }).on('error', resolve)
    })
    // a connection may still be accepted during the close, and is then reset
    expect(refused).toMatchObject({ code: expect.stringMatching(/^ECONN(REFUSED|RESET)$/) })
  } finally {
    await kube.close()
  }
})

it('a playground that fails to start leaves nothing open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coe-playground-'))
  const open = () => process.getActiveResourcesInfo().filter(kind => kind === 'TCPServerWrap').length
  const before = open()
  try {
    await writeFile(join(folder, 'assets'), 'no folder')
    const options = { folder, clusters: 0, members: 1, federation: 'facade', speed: 1 } as const
    await expect(startPlayground(options)).rejects.toMatchObject({ code: 'EEXIST' })
    await expect.poll(open).toBeLessThanOrEqual(before) // connections of an earlier test may close meanwhile
  } finally {
    await rm(folder, { recursive: true })
  }
})
