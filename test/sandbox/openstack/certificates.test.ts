import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { inspect, isFor, issuedBy } from '../../../src/pki/inspect.ts'
import { generateKey } from '../../../src/pki/keys.ts'
import { createRequest } from '../../../src/pki/requests.ts'
import { type Cloud, cloud, errorOf } from './cloud.ts'

async function withCluster(values: object = {}, options: object = {}) {
  const world: Cloud = await cloud(options)
  const uuid = await world.cluster('c1', { cluster_template_id: await world.template(values) })
  world.sandbox.clock.advance(60_000)
  const ca = async (who = 'demo/demo', query = '') => world.as(who)('GET', `/v1/certificates/${uuid}${query}`)
  return { world, uuid, ca }
}

describe('certificates', () => {
  it('come from the cluster’s own CAs, one for each purpose', async () => {
    const { uuid, ca } = await withCluster()
    const reply = await ca()
    expect(reply.status).toBe(200)
    expect(reply.json).toMatchObject({ bay_uuid: uuid, cluster_uuid: uuid })
    expect(reply.json.pem).toMatch(/^-----BEGIN CERTIFICATE-----\n[\s\S]+\n-----END CERTIFICATE-----$/)
    expect(inspect(reply.json.pem)).toMatchObject({ subject: 'CN=c1', issuer: 'CN=c1', isCa: true, keyType: 'rsa' })
    expect((await ca()).json.pem).toBe(reply.json.pem)
    const etcd = (await ca('demo/demo', '?ca_cert_type=etcd')).json.pem
    expect(etcd).not.toBe(reply.json.pem)
    expect((await ca('demo/demo', '?ca_cert_type=nosuch')).json.pem).toBe(reply.json.pem)
  })

  it.each(['ec-p256', 'rsa-2048'] as const)('are signed for %s keys, whatever the subject', async type => {
    const { world, uuid, ca } = await withCluster()
    const { privateKey } = await generateKey(type)
    const csr = createRequest(
      [
        ['CN', 'admin'],
        ['O', 'system:masters'],
      ],
      privateKey,
    )
    const reply = await world.as('demo/demo')('POST', '/v1/certificates', { cluster_uuid: uuid, csr })
    expect(reply.status).toBe(201)
    expect(reply.json.csr).toBe(csr)
    const { pem } = reply.json
    expect(pem.endsWith('-----END CERTIFICATE-----')).toBe(true)
    expect(inspect(pem)).toMatchObject({ subject: 'CN=admin, O=system:masters', isCa: false })
    expect(issuedBy(pem, (await ca()).json.pem)).toBe(true)
    expect(isFor(pem, privateKey)).toBe(true)
    expect(new X509Certificate(pem).keyUsage).toBeUndefined() // nothing was requested, nothing is granted
  })

  it('are only for the creator of the cluster: other users of the project are refused, others find nothing', async () => {
    const { ca } = await withCluster()
    const colleague = await ca('demo2/demo')
    expect([colleague.status, errorOf(colleague).detail]).toEqual([
      403,
      "Policy doesn't allow certificate:get to be performed.",
    ])
    expect((await ca('alt/alt')).status).toBe(404)
    expect((await ca('admin/admin')).status).toBe(404)
    expect((await ca('admin/demo')).status).toBe(200)
  })

  it('are refused for an invalid request', async () => {
    const { world, uuid } = await withCluster()
    const post = (body: object) => world.as('demo/demo')('POST', '/v1/certificates', body)
    const bad = await post({ cluster_uuid: uuid, csr: 'not a csr' })
    expect([bad.status, errorOf(bad).detail]).toEqual([400, "Received invalid csr b'not a csr'."])
    const lost = await post({ cluster_uuid: 'nosuch', csr: 'x' })
    expect([lost.status, errorOf(lost).detail]).toEqual([400, 'Cluster nosuch could not be found.'])
    expect((await post({ cluster_uuid: uuid })).status).toBe(500)
  })

  it('come from a new CA after a rotation', async () => {
    const { world, uuid, ca } = await withCluster()
    const before = (await ca()).json.pem
    const reply = await world.as('demo/demo')('PATCH', `/v1/certificates/${uuid}`)
    expect([reply.status, reply.json]).toEqual([202, { uuid }])
    expect((await ca()).json.pem).not.toBe(before)
    world.sandbox.clock.advance(1_000)
    expect((await world.as('demo/demo')('GET', `/v1/clusters/${uuid}`)).json.status).toBe('UPDATE_IN_PROGRESS')
  })

  it('a rotation is refused without TLS, and harmful with a driver that does not support it', async () => {
    const plain = await withCluster({ tls_disabled: true })
    const reply = await plain.world.as('demo/demo')('PATCH', `/v1/certificates/${plain.uuid}`)
    expect([reply.status, errorOf(reply).detail]).toEqual([
      400,
      'Rotating the CA certificate on a non-TLS cluster is not supported',
    ])
    const other = await withCluster({}, { caRotate: 'unsupported' })
    const before = (await other.ca()).json.pem
    const refused = await other.world.as('demo/demo')('PATCH', `/v1/certificates/${other.uuid}`)
    expect(errorOf(refused).detail).toBe("'rotate_ca_certificate' is not supported by this driver.")
    expect((await other.ca()).json.pem).not.toBe(before)
    const shown = await other.world.as('demo/demo')('GET', `/v1/clusters/${other.uuid}`)
    expect(shown.json.status).toBe('UPDATE_FAILED')
  })
})
