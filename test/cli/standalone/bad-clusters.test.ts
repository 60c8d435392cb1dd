/** Clusters that will not do, as host or as member: told before anything is written, where that can be known. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectAdmin } from '../../support/kube.ts'
import {
  changed,
  changesOf,
  expectClear,
  expectRefused,
  type Loose,
  longestMs,
  type Says,
} from '../../support/refusals.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'
import { type Tunnel, tunnelTo } from '../../support/tunnel.ts'

const create = 'federation create new --host host --expose nodeport'

let lab: StandaloneLab
let bare: StandaloneLab
let tunnel: Tunnel
beforeAll(async () => {
  lab = await startLab({ members: 4 })
  bare = await startLab({ members: 0, host: { defaultStorageClass: false } })
  const made = ['create fed --host host --expose nodeport', 'create other --host host --expose nodeport']
  for (const line of [...made, 'join fed c3', 'join other c4']) {
    expect(await lab.run(`federation ${line}`)).toMatchObject({ code: 0 })
  }
  const api = await connectAdmin(lab.sandbox.cluster('c5'))
  await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'karmada-cluster' } })
  tunnel = await tunnelTo(lab.sandbox.cluster('c2').url)
})
afterAll(async () => {
  tunnel.close()
  await lab.close()
  await bare.close()
})

describe('names that a federation cannot have', () => {
  const cases: [string, RegExp][] = [
    ['kubernetes-admin@kubernetes', /--cluster-name kubernetes-admin-kubernetes$/m],
    ['gke_proj_europe-west1_Prod', /--cluster-name gke-proj-europe-west1-prod$/m],
    ['PROD', /--cluster-name prod$/m],
    ['prod.example.com', /--cluster-name prod-example-com$/m],
    ['arn:aws:eks:eu-central-1:123456789012:cluster/prod', /--cluster-name [a-z0-9-]*cluster-prod-[0-9a-f]{6}$/m],
    ['x'.repeat(70), /--cluster-name x+-[0-9a-f]{6}$/m],
    ['@@', /--cluster-name cluster-[0-9a-f]{6}$/m],
  ]
  it.each(cases)('%s: one that will do is suggested, and does', async (name, hint) => {
    const env = { KUBECONFIG: await changed(lab, 'c2', e => (e.context.name = name)) }
    const words = ['federation', 'join', 'fed', name, '--host', 'host']
    await expectRefused(lab, words, { env }, 2, [/cannot be a member's name/, hint])
    const { err } = await lab.run(words, { env })
    const suggested = /--cluster-name (\S+)/.exec(err)?.[1] as string
    const taken = await lab.run([...words, '--cluster-name', suggested, '--dry-run'], { env })
    expect(taken).toMatchObject({ code: 0 })
  })

  it('two that would have one name', async () => {
    const env = {
      KUBECONFIG: await changed(lab, 'c2', e =>
        e.config.contexts.push({ name: 'kube:c5', context: { cluster: 'c5', user: 'c5-admin' } }),
      ),
    }
    await expectRefused(lab, 'federation create My_Fed --host host', {}, 2, [/lowercase letters/])
    await expectRefused(lab, 'federation join fed kube:c5 --host host --cluster-name c3', { env }, 5, [
      /another cluster is a member of "fed" under the name "c3"/,
    ])
  })
})

describe('clusters that cannot be members', () => {
  const cases: [what: string, line: string, code: number, ...says: Says][] = [
    [
      'the host, unless that is meant',
      'federation join fed host',
      2,
      /"host" is the host of federation "fed"/,
      /--allow-host/,
    ],
    [
      'a member of another federation',
      'federation join fed c4',
      5,
      /c4 is already a member of federation "other"/,
      /coe --standalone federation unjoin other c4/,
    ],
    [
      'a member of what coe did not make',
      'federation join fed c5',
      5,
      /a namespace karmada-cluster that coe did not create/,
      /karmadactl unjoin/,
    ],
    [
      'a member under another name',
      'federation join fed c3 --cluster-name three',
      5,
      /is already a member, as "c3"/,
      /unjoin fed c3/,
    ],
    ['at an address without https', 'federation join fed c2 --cluster-server http://10.0.0.1', 2, /not https/],
    [
      'at what is no address',
      'federation join fed c2 --cluster-server nonsense',
      2,
      /not the address of an API server|not https/,
    ],
    ['of a federation that is not there', 'federation join fde c2', 3, /no federation "fde"/, /did you mean "fed"/],
  ]
  it.each(cases)('%s', async (_what, line, code, ...says) => {
    await expectRefused(lab, line, {}, code, says)
  })

  it('of no kubeconfig: which one may be meant', async () => {
    await expectRefused(lab, 'federation join fed c22', {}, 3, [/did you mean "c2"/])
    const arn = 'arn:aws:eks:eu-central-1:123456789012:cluster/prod'
    const env = { KUBECONFIG: await changed(lab, 'c2', e => (e.context.name = arn)) }
    const line = `federation join fed ${arn.replace('prod', 'prdo')} --host host`
    await expectRefused(lab, line, { env }, 3, [/did you mean "arn:aws/])
  })

  it('at an address that only this machine has', async () => {
    const env = { KUBECONFIG: await changed(lab, 'c2', e => (e.cluster.server = tunnel.url)) }
    await expectRefused(lab, 'federation join fed c2 --host host', { env }, 1, [
      /is an address of this machine/,
      /--cluster-server/,
    ])
  })

  it('the same one twice: the second is refused, and told which it is', async () => {
    const again = (e: { config: Loose }) =>
      e.config.contexts.push({ name: 'same', context: { cluster: 'c3', user: 'c3-admin' } })
    const env = { KUBECONFIG: await changed(lab, 'c3', again) }
    const r = await lab.run('federation join fed c3 same --host host', { env })
    expect(r).toMatchObject({ code: 6, out: 'Cluster c3 is already a member of federation fed: nothing to do\n' })
    expect(r.err).toMatch(/"same" is the same cluster as "c3"\nhint: /)
  })
})

describe('hosts that will not do', () => {
  const cases: [what: string, line: string, code: number, ...says: Says][] = [
    ['too few nodes for --ha', `${create} --ha`, 1, /--ha needs 3 Ready nodes/, /--toleration/],
    [
      'no such StorageClass',
      `${create} --storage-class fast`,
      1,
      /no StorageClass "fast"/,
      /--storage-class: standard/,
    ],
    [
      'a namespace that is somebody else’s',
      `${create} --namespace kube-public`,
      5,
      /namespace kube-public already, and coe did not make it/,
      /--adopt, or take another with --namespace/,
    ],
    [
      'a namespace that is another federation’s',
      `${create} --namespace coe-fed-other`,
      5,
      /that of federation "other"/,
    ],
    ['an address that is none', `${create} --advertise-address https://x`, 2, /without https:\/\//],
  ]
  it.each(cases)('%s', async (_what, line, code, ...says) => {
    await expectRefused(lab, line, {}, code, says)
  })

  it('no default StorageClass', async () => {
    const had = bare.objects()
    const r = await bare.run(create)
    expectClear(r, 1, [/no default StorageClass for the volume of etcd/, /--storage emptydir/])
    expect(bare.objects()).toEqual(had)
    expect(changesOf(bare)).toEqual([])
  })
})

describe('what shows only on the way', () => {
  it('an image that cannot be had: the pod says why, at once; another registry goes on from there', async () => {
    const began = Date.now()
    const r = await lab.run(
      'federation create pulls --host host --expose nodeport --image-registry reg.example.com/no-such-image',
    )
    expectClear({ ...r, out: '' }, 1, [
      /etcd cannot become ready: pod etcd-0 cannot get its image reg\.example\.com\/no-such-image\/etcd/,
      /pull secret/,
      /to continue, run: coe /,
    ])
    expect(Date.now() - began).toBeLessThan(longestMs)
    const again = await lab.run('federation create pulls --host host --image-registry registry.k8s.io')
    expect(again).toMatchObject({ code: 0 })
  })

  it('a node port that the host does not give: its range, how to go on, and a warning before', async () => {
    const r = await lab.run('federation create ports --host host --expose nodeport --api-port 22000')
    expectClear({ ...r, out: '' }, 1, [
      /warning: node ports are usually from 30000 to 32767/,
      /22000: provided port is not in the valid range/,
      /choose a port in that range, or none/,
    ])
    const again = await lab.run(['federation', 'create', 'ports', '--host', 'host', '--api-port', ''])
    expect(again).toMatchObject({ code: 0 })
    expect((await lab.run('federation delete ports --yes')).code).toBe(0)
  })

  it('rights that end halfway: which one, on what; and with them again it goes on', async () => {
    const admin = await connectAdmin(lab.sandbox.host)
    const token = lab.sandbox.host.staticToken('bob')
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'bob' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
    }
    await admin.create(binding)
    const env = { KUBECONFIG: await changed(lab, 'host', e => (e.user.user = { token })) }
    // somebody takes it away when the first workload comes
    const { faults } = lab.sandbox
    let goOn = () => {}
    const until = new Promise<void>(resolve => {
      goOn = resolve
    })
    const held = faults.order({
      agent: /^coe\//,
      path: /statefulsets|deployments/,
      method: 'PATCH',
      effect: { kind: 'hold', until },
      times: 99,
    })
    const line = 'federation create halfway --host host --expose nodeport'
    const running = lab.run(line, { env, secrets: [token] })
    await expect.poll(() => held.hits, { timeout: 60_000 }).toBeGreaterThan(0)
    await admin.delete({ ...binding, name: 'bob' })
    goOn()
    const r = await running
    faults.clear()
    expectClear({ ...r, out: '' }, 4, [
      /does not let "bob" \w+ \w+.* in namespace "coe-fed-halfway"/,
      /RBAC/,
      /to continue, run: coe /,
    ])
    await admin.create(binding)
    // its lock could not be given back; its process is gone
    expect(await lab.run(line, { env, pid: 4712, isRunning: () => false })).toMatchObject({ code: 0 })
  })
})
