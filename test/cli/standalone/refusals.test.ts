import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.close())

/** Each ends before the first write. */
const refused: [why: string, line: string, code: number, says: string][] = [
  ['an unknown host', 'federation create a --host hots --expose nodeport', 3, 'did you mean "host"'],
  ['a second host', 'federation create a --host host --hostcluster c2', 2, 'one host'],
  ['a name that cannot be one', 'federation create My_Fed --host host', 2, 'lowercase letters'],
  ['a name of 41 characters', `federation create ${'a'.repeat(41)} --host host`, 2, 'at most 40'],
  ['clusters of Cluster API', 'federation create a --host capi:prod', 2, 'not part of this version'],
  ['a prefix that nobody knows', 'federation create a --host ec2:prod', 2, 'nothing is known by the prefix "ec2:"'],
  ['a Magnum cluster without a cloud', 'federation create a --host magnum:prod', 2, '--os-cloud'],
  ['an unknown driver', 'federation create a --host host --driver karmada_v9', 3, 'karmada_v1'],
  [
    'a StorageClass that is not there',
    'federation create a --host host --expose nodeport --storage-class nope',
    1,
    'standard',
  ],
  ['a namespace that cannot be one', 'federation create a --host host --namespace Foo', 2, 'lowercase letters'],
  ['a context without a name', 'federation create a --host host --context-name=', 2, 'must have a name'],
  [
    'a label that no node has',
    'federation create a --host host --expose nodeport --node-selector disk=ssd',
    1,
    'that match --node-selector',
  ],
  ['a registry with a scheme', 'federation create a --host host --image-registry https://x', 2, 'without https://'],
  ['a size that is none', 'federation create a --host host --storage-size lots', 2, '--storage-size'],
  ['an address with a scheme', 'federation create a --host host --advertise-address https://x', 2, 'without https://'],
  ['an engine that it does not know', 'federation create a --host host --engine-version v0.1.0', 2, 'v1.18.2'],
  [
    'definitions that are others',
    `federation create a --host host --expose nodeport --crds-digest sha256:${'0'.repeat(64)}`,
    1,
    'sha256:000',
  ],
  [
    'an option of the other mode',
    'federation update a --property b=c --rollback',
    2,
    'is for magnum mode, and this is standalone mode',
  ],
  ['a digest that is none', 'federation create a --host nowhere --crds-digest foo', 2, 'is not sha256:HEX'],
  [
    'a digest that is none, for a driver',
    'federation create a --host host --driver-option crds-digest=foo',
    2,
    'sha256:HEX',
  ],
  ['a federation that is not there', 'federation show nofed', 3, 'contexts searched: host, c2, c3'],
  ['one that is not on that host', 'federation show nofed --host c2', 3, 'on host "c2"'],
  ['a user without a name', 'federation kubeconfig nofed --user=', 2, 'need a name'],
  ['joining none', 'federation join nofed c2', 3, 'nofed'],
  ['to change a context', 'cluster resize c2 3', 2, 'driver kubeconfig_v1 cannot resize cluster "c2"'],
  ['to delete a context', 'cluster delete c2', 2, 'driver kubeconfig_v1 cannot delete cluster "c2"'],
]

describe('refused, with a reason and nothing written', () => {
  for (const [why, line, code, says] of refused) {
    it(why, async () => {
      const r = await lab.run(line)
      expect([r.code, r.err]).toEqual([code, expect.stringContaining(says)])
      expect(lab.objects()).toEqual(lab.before)
    })
  }

  it('a digest in the environment that is none', async () => {
    const r = await lab.run('federation create a --host host --expose nodeport', { env: { COE_CRDS_DIGEST: 'foo' } })
    expect([r.code, r.err]).toEqual([2, expect.stringContaining('COE_CRDS_DIGEST must be sha256:HEX, not "foo"')])
    expect(lab.objects()).toEqual(lab.before)
  })

  it('a context of that name that is somebody else’s; another name will do', async () => {
    const had = await readFile(lab.kubeconfig, 'utf8')
    await writeFile(
      lab.kubeconfig,
      had.replaceAll('name: c3', 'name: taken').replaceAll('cluster: c3', 'cluster: taken'),
    )
    const r = await lab.run('federation create taken --host host --expose nodeport')
    expect([r.code, r.err]).toEqual([5, expect.stringContaining('--context-name')])
    expect(lab.objects()).toEqual(lab.before)
    await writeFile(lab.kubeconfig, had)
  })

  it('a namespace of that name that is somebody else’s', async () => {
    const r = await lab.run('federation create a --host host --expose nodeport --namespace kube-public')
    expect([r.code, r.err]).toEqual([5, expect.stringContaining('coe did not make it')])
    expect(lab.objects()).toEqual(lab.before)
  })
})

describe('what is local', () => {
  it('contexts are clusters', async () => {
    const rows = JSON.parse((await lab.run('cluster list -f json')).out) as { name: string }[]
    expect(rows.map(r => r.name)).toEqual(['host', 'c2', 'c3'])
    const one = JSON.parse((await lab.run('cluster show kube:c2 -f json')).out)
    expect(one).toMatchObject({ name: 'c2', uuid: 'kube:c2' })
    expect((await lab.run('cluster show c22')).err).toContain('did you mean "c2"')
  })

  it('images are told without asking anybody', async () => {
    const line = 'federation images --image-registry mirror.example.com/k --image-pull-secret login -f value -c image'
    const r = await lab.run(line, { env: { KUBECONFIG: '/nowhere' } })
    expect(r.code).toBe(0)
    expect(
      r.out
        .split('\n')
        .filter(Boolean)
        .every(image => image.startsWith('mirror.example.com/k/')),
    ).toBe(true)
  })
})
