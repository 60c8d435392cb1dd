/** The Secret with the keys of the authorities is lost: told, never replaced in silence, and replaced in order where the user says so. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { ClusterApi } from '../../../../src/kube/api/cluster-api.ts'
import { decoded } from '../../../../src/kube/api/object.ts'
import { splitBundle } from '../../../../src/pki/inspect.ts'
import { connectAdmin } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

const secretRef = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', name, namespace: 'coe-fed-shop' })
const create = 'federation create shop --host host --expose nodeport'

describe.each([
  ['one etcd', 1, ''],
  ['three of etcd', 3, ' --ha'],
])('%s', (_what, nodes, ha) => {
  let lab: StandaloneLab
  let host: ClusterApi
  beforeAll(async () => {
    lab = await startLab({ members: 1, host: { nodes } })
    host = await connectAdmin(lab.sandbox.host)
    await ok(create + ha)
    await ok('federation join shop c2')
  })
  afterAll(() => lab.close())

  async function ok(line: string): Promise<string> {
    const { code, out, err } = await lab.run(line)
    expect(code, `${line}\n${out}${err}`).toBe(0)
    return out
  }
  const files = async (name: string) => {
    const secret = await host.get(secretRef(name))
    return (file: string) => decoded(secret, file)
  }
  const pods = async () => {
    const { items } = await host.list(
      { apiVersion: 'v1', kind: 'Pod' },
      { namespace: 'coe-fed-shop', labels: 'app.kubernetes.io/name=etcd' },
    )
    return items.map(({ metadata }) => metadata.uid)
  }
  const authorityOfContext = async () => {
    const { clusters } = parse(await readFile(lab.kubeconfig, 'utf8'))
    const { cluster } = clusters.find((c: { name: string }) => c.name === 'shop')
    return new X509Certificate(Buffer.from(cluster['certificate-authority-data'], 'base64')).fingerprint256
  }
  const lose = () => host.delete(secretRef('certificate-authorities'))
  const everything = async () => JSON.stringify(lab.objects())

  it('is not healthy without them', async () => {
    await lose()
    const { code, out } = await lab.run('federation status shop -f json')
    expect(code).toBe(1)
    expect(JSON.parse(out).filter((row: { healthy: boolean }) => !row.healthy)).toMatchObject([
      {
        part: 'object',
        name: 'Secret certificate-authorities',
        healthy: false,
        detail: expect.stringContaining('deleted: the keys that issued the certificates of this federation are lost'),
      },
    ])
  })

  it('create refuses to replace them, says what that would mean, and changes nothing', async () => {
    const before = await everything()
    for (const line of [create, `${create} --dry-run`]) {
      const { code, err } = await lab.run(line)
      expect(code).toBe(5)
      expect(err).toContain('Secret coe-fed-shop/certificate-authorities is gone')
      expect(err).toContain('invalidate every kubeconfig')
      expect(err).toMatch(/coe --standalone federation create shop .*--new-authorities$/m)
    }
    expect(await everything()).toBe(before)
  })

  it('a cut off replacement goes on with the same line', async () => {
    const fault = lab.sandbox.host.faults.order({
      path: /statefulsets\/etcd/,
      method: 'PATCH',
      nth: ha ? 2 : 1,
      times: 100,
      effect: { kind: 'answer', status: 403 },
    })
    const { code, err } = await lab.run(`${create} --new-authorities`)
    fault.remove()
    expect(code).not.toBe(0)
    expect(err).toMatch(/to continue, run: coe --standalone federation create shop .*--new-authorities/)
    if (!ha) return
    // in between, the members believe both
    expect(splitBundle((await files('etcd'))('etcd-ca.crt') ?? '')).toHaveLength(2)
    expect((await files('certificate-authorities'))('etcd-ca-before.crt')).toBeDefined()
  })

  it('with --new-authorities, all of it comes up again with certificates of the new ones alone', async () => {
    const before = { pods: await pods(), authority: await authorityOfContext() }
    const account = (await files('karmada-apiserver'))('service-account.key')
    await ok(`${create} --new-authorities`)
    await ok('federation status shop')
    expect((await pods()).filter(uid => before.pods.includes(uid))).toEqual([])
    expect(await authorityOfContext()).not.toBe(before.authority)
    const authorities = await files('certificate-authorities')
    const etcd = await files('etcd')
    expect(etcd('etcd-ca.crt')).toBe(authorities('etcd-ca.crt'))
    expect(authorities('etcd-ca-before.crt')).toBeUndefined()
    for (const file of ['tls.crt', 'peer.crt']) {
      const issuer = new X509Certificate(authorities('etcd-ca.crt') ?? '')
      expect(new X509Certificate(etcd(file) ?? '').verify(issuer.publicKey)).toBe(true)
    }
    // tokens of accounts are not voided with the authorities: that key was in other Secrets, too
    expect(authorities('service-account.key')).toBe(account)
    expect(await ok('federation members shop -f value -c name -c ready')).toBe('c2 True\n')
  })

  it('and again, with the option and without it, changes nothing', async () => {
    expect(await ok(`${create} --new-authorities`)).toContain('unchanged')
    expect(await ok(create)).toContain('unchanged')
  })

  it('the key of one authority lost is no other case', async () => {
    await host.patch(secretRef('certificate-authorities'), { data: { 'ca.key': null } }, { type: 'merge' })
    const { code, err } = await lab.run(create)
    expect(code).toBe(5)
    expect(err).toContain('has no usable ca)')
    await ok(`${create} --new-authorities`)
    await ok('federation status shop')
  })
})

it('a creation that could not write the keys leaves nothing that they issued, and is finished by another run', async () => {
  const lab = await startLab({ members: 0 })
  try {
    const refused = lab.sandbox.faults.order({
      method: 'PATCH',
      path: /secrets\/certificate-authorities/,
      effect: { kind: 'answer', status: 409, body: conflictStatus },
      times: Number.POSITIVE_INFINITY,
    })
    expect((await lab.run(create)).code).not.toBe(0)
    expect(refused.hits).toBeGreaterThan(0)
    const host = await connectAdmin(lab.sandbox.host)
    const { items } = await host.list({ apiVersion: 'v1', kind: 'Secret' }, { namespace: 'coe-fed-shop' })
    expect(items.map(secret => secret.metadata.name)).toEqual([])
    lab.sandbox.faults.clear()
    expect(await lab.run(create)).toMatchObject({ code: 0 })
  } finally {
    await lab.close()
  }
})

const conflictStatus = {
  apiVersion: 'v1',
  kind: 'Status',
  status: 'Failure',
  reason: 'Conflict',
  message: 'the object has been modified',
  code: 409,
}
