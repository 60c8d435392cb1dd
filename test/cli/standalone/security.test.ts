/** What a federation is made with for its safety, and that one which an older coe made without goes on as it is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import type { KubeObject } from '../../../src/kube/api/object.ts'
import { connectAdmin } from '../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

let lab: StandaloneLab
let host: ClusterApi
beforeAll(async () => {
  lab = await startLab({ members: 1 })
  host = await connectAdmin(lab.sandbox.host)
})
afterAll(() => lab.close())

const create = 'federation create myfed --host host --expose nodeport'
const namespace = 'coe-fed-myfed'
const remove = () => lab.run('federation delete myfed --unjoin --yes --ignore-not-found')
const get = async (apiVersion: string, kind: string, name: string) =>
  (await host.get({ apiVersion, kind, name, namespace })) as KubeObject
const podSpec = async (kind: string, name: string) => (await get('apps/v1', kind, name)).spec.template.spec
const isHealthy = async () => (await lab.run('federation status myfed')).code

describe('a federation with every option', () => {
  it('is made, healthy, and takes members', async () => {
    await host.create({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'fed' },
      value: 9,
    })
    const options =
      '--audit metadata --metrics cluster --etcd-user root --resources large --requests etcd:cpu=300m --limits etcd:memory=9Gi --priority-class fed --network-policy --scheduler-estimator'
    const r = await lab.run(`${create} ${options}`)
    expect([r.code, r.err]).toEqual([0, expect.not.stringContaining('warning: ')])
    expect((await lab.run('federation join myfed c2')).code).toBe(0)
    expect(await isHealthy()).toBe(0)
    expect((await podSpec('StatefulSet', 'etcd')).containers[0].resources).toEqual({
      requests: { cpu: '300m', memory: '1Gi' },
      limits: { cpu: '4', memory: '9Gi' },
    })
    expect((await podSpec('Deployment', 'karmada-scheduler')).priorityClassName).toBe('fed')
    const policies = await host.list({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' }, { namespace })
    expect(policies.items).toHaveLength(7)
  })

  it('is unchanged by the same, and by a line without them', async () => {
    expect((await lab.run(create)).out).toContain('unchanged')
  })

  it('can be given others; a network policy goes again', async () => {
    const r = await lab.run(`${create} --audit off --metrics local --driver-option network-policy=false`)
    expect([r.code, r.out]).toEqual([0, expect.stringContaining('updated')])
    const policies = await host.list({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' }, { namespace })
    expect(policies.items).toEqual([])
    expect(await isHealthy()).toBe(0)
    expect((await lab.run(create)).out).toContain('unchanged')
  })

  it('leaves nothing behind', async () => {
    expect((await remove()).code).toBe(0)
    await host.delete({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', name: 'fed' })
    expect(lab.objects()).toEqual(lab.before)
  })
})

describe('a federation without any', () => {
  it('writes an audit log, has limits, and runs nothing as root', async () => {
    expect((await lab.run(create)).code).toBe(0)
    expect((await podSpec('Deployment', 'karmada-apiserver')).containers[0].command).toContain('--audit-log-path=-')
    const etcd = await podSpec('StatefulSet', 'etcd')
    expect(etcd.securityContext.runAsNonRoot).toBe(true)
    expect(etcd.containers[0].resources.limits).toEqual({ cpu: '2', memory: '2Gi' })
  })

  it('that an older coe made is as it was after a creation of today, and may be given what is new', async () => {
    // its record, and what stands, are those of a coe that knew none of these options
    const record = { apiVersion: 'v1', kind: 'ConfigMap', name: 'coe-federation', namespace }
    const settings = JSON.stringify({
      expose: 'nodeport',
      storage: 'pvc',
      'storage-size': '5Gi',
      'engine-version': 'v1.18.2',
    })
    await host.patch(record, { data: { settings } }, { type: 'merge' })
    const r = await lab.run(create)
    expect([r.code, r.err]).toEqual([0, expect.any(String)])
    const uid = (await get('v1', 'Pod', 'etcd-0')).metadata.uid
    expect((await podSpec('StatefulSet', 'etcd')).securityContext.runAsNonRoot).toBeUndefined()
    expect((await lab.run(create)).out).toContain('unchanged')
    expect((await get('v1', 'Pod', 'etcd-0')).metadata.uid).toBe(uid)
    const more = await lab.run(`${create} --audit metadata --resources small`)
    expect([more.code, more.out]).toEqual([0, expect.stringContaining('updated')])
    expect((await podSpec('Deployment', 'karmada-webhook')).containers[0].resources.limits.cpu).toBe('500m')
    expect((await podSpec('StatefulSet', 'etcd')).securityContext.runAsNonRoot).toBeUndefined()
    expect(await isHealthy()).toBe(0)
    expect((await remove()).code).toBe(0)
  })

  it('is refused for a priority class that the host does not have, before anything is made', async () => {
    const r = await lab.run(`${create} --priority-class no-such`)
    expect([r.code, r.err]).toEqual([1, expect.stringContaining('the host has no PriorityClass "no-such"')])
    expect(lab.objects()).toEqual(lab.before)
  })
})

describe('federation kubeconfig --group system:masters', () => {
  it('is warned of: no role takes it back', async () => {
    expect((await lab.run(create)).code).toBe(0)
    const r = await lab.run('federation kubeconfig myfed --user jane --group system:masters --ttl 30d')
    expect([r.code, r.err]).toEqual([0, expect.stringMatching(/warning: group system:masters .* for 30 days/)])
    expect(r.out).toContain('kind: Config')
    const other = await lab.run('federation kubeconfig myfed --user jane --group dev')
    expect([other.code, other.err]).toEqual([0, ''])
    expect((await remove()).code).toBe(0)
  })
})
