/** /v1/certificates: a cluster's CA, which only its creator may use. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getCertificate, rotateCa, signCertificate } from '../../../src/openstack/magnum-api/certificates.ts'
import { inspect, isFor, issuedBy } from '../../../src/pki/inspect.ts'
import { generateKey } from '../../../src/pki/keys.ts'
import { createRequest } from '../../../src/pki/requests.ts'
import { belongings } from './belongings.ts'
import { refusal } from './exchanges.ts'
import { type Caller, target } from './target.ts'

const nobody = '11111111-0000-4000-8000-000000000000'
const cloud = await target()
const ours = belongings(cloud)
let user: Caller
let cluster: string
let withoutTls: string

beforeAll(async () => {
  if (!cloud.there) return
  user = await cloud.as('user')
  cluster = await ours.cluster('ca', await ours.template('ca'))
  withoutTls = await ours.cluster('bare', await ours.template('bare', { tls_disabled: true }))
  await ours.stable(cluster)
  await ours.stable(withoutTls)
})
afterAll(async () => {
  await ours.removeAll()
  await cloud.close()
})

const admin = [
  ['CN', 'admin'],
  ['O', 'system:masters'],
] as const

describe.runIf(cloud.there)('getCertificate', () => {
  it('returns the CA as PEM, the same each time, one for each purpose', async () => {
    const { pem, cluster_uuid } = await getCertificate(user.service, cluster)
    expect(cluster_uuid).toBe(cluster)
    expect(inspect(pem)).toMatchObject({ isCa: true, subject: `CN=${ours.name('ca')}` })
    expect((await getCertificate(user.service, ours.name('ca'))).pem).toBe(pem)
    expect((await getCertificate(user.service, cluster, 'kubernetes')).pem).toBe(pem)
    expect((await getCertificate(user.service, cluster, 'etcd')).pem).not.toBe(pem)
  })

  it('is refused for a missing cluster', async () => {
    expect(await refusal(getCertificate(user.service, 'nosuch'))).toEqual([404, 'Cluster nosuch could not be found.'])
  })

  it.runIf(cloud.has('colleague'))('is refused to a colleague of the one who made the cluster', async () => {
    const { service } = await cloud.as('colleague')
    expect(await refusal(getCertificate(service, cluster))).toEqual([
      403,
      "Policy doesn't allow certificate:get to be performed.",
    ])
    const csr = createRequest(admin, (await generateKey('ec-p256')).privateKey)
    expect(await refusal(signCertificate(service, cluster, csr))).toEqual([
      403,
      "Policy doesn't allow certificate:create to be performed.",
    ])
  })

  it.runIf(cloud.has('other'))('is refused to another project as if it were not there', async () => {
    const { service } = await cloud.as('other')
    expect(await refusal(getCertificate(service, cluster))).toEqual([404, `Cluster ${cluster} could not be found.`])
  })
})

describe.runIf(cloud.there)('signCertificate', () => {
  it.each(['ec-p256', 'rsa-2048'] as const)(
    'answers 201 for a key of %s: whom the request names, for that key',
    async type => {
      const { privateKey } = await generateKey(type)
      const { pem } = await signCertificate(user.service, cluster, createRequest(admin, privateKey))
      expect(user.last().status).toBe(201)
      expect(inspect(pem)).toMatchObject({ subject: 'CN=admin, O=system:masters', isCa: false })
      expect(isFor(pem, privateKey)).toBe(true)
      expect(issuedBy(pem, (await getCertificate(user.service, cluster)).pem)).toBe(true)
    },
  )

  it('is refused for an invalid request, and with 400 for a missing cluster', async () => {
    const [status, reason] = await refusal(signCertificate(user.service, cluster, 'not a csr'))
    expect([status, reason]).toEqual([400, "Received invalid csr b'not a csr'."])
    expect(await refusal(signCertificate(user.service, nobody, 'x'))).toEqual([
      400,
      `Cluster ${nobody} could not be found.`,
    ])
  })
})

describe.runIf(cloud.there)('rotateCa', () => {
  it('is accepted with 202, and makes a new CA', async () => {
    const { pem } = await getCertificate(user.service, cluster)
    expect(await rotateCa(user.service, cluster)).toEqual({ uuid: cluster })
    expect(user.last().status).toBe(202)
    await ours.until(cluster, 'rotated', c => c.status === 'UPDATE_COMPLETE')
    expect((await getCertificate(user.service, cluster)).pem).not.toBe(pem)
  })

  it('is refused for a cluster without TLS, and for a missing one', async () => {
    expect(await refusal(rotateCa(user.service, withoutTls))).toEqual([
      400,
      'Rotating the CA certificate on a non-TLS cluster is not supported',
    ])
    expect(await refusal(rotateCa(user.service, nobody))).toEqual([404, `Cluster ${nobody} could not be found.`])
  })
})
