/** What was deleted under a running federation, and is still mounted: status tells it, and creating again puts it back. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadKubeconfig, resolveContext } from '../../../../src/config/kubeconfig/kubeconfig.ts'
import { connectCluster } from '../../../../src/kube/access/connect.ts'
import type { ClusterApi } from '../../../../src/kube/api/cluster-api.ts'
import { connectAdmin, connectOptions, kubeWorld } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
let host: ClusterApi
const create = 'federation create shop --host host --expose nodeport'
beforeAll(async () => {
  lab = await startLab({ members: 1 })
  host = await connectAdmin(lab.sandbox.host)
  expect((await lab.run(create)).code).toBe(0)
  expect((await lab.run('federation join shop c2')).code).toBe(0)
})
afterAll(() => lab.close())

interface Part {
  part: string
  name: string
  healthy: boolean | null
  detail: string
}
const status = async () => {
  const { code, out } = await lab.run('federation status shop -f json')
  const rows = JSON.parse(out) as Part[]
  return { code, unhealthy: rows.filter(row => row.healthy !== true) }
}
const object = (kind: string, name: string) => ({ apiVersion: 'v1', kind, name, namespace: 'coe-fed-shop' })

it('a healthy federation lacks nothing', async () => {
  expect(await status()).toEqual({ code: 0, unhealthy: [] })
})

it('status tells of each Secret and Service that is gone, while all pods run', async () => {
  await host.delete(object('Secret', 'karmada-webhook'))
  await host.delete(object('Service', 'etcd-client'))
  const reason = 'deleted: its pods cannot start again without it'
  const by = 'deleted: nothing can reach etcd by that name'
  expect(await status()).toMatchObject({
    code: 1,
    unhealthy: [
      { part: 'object', name: 'Secret karmada-webhook', healthy: false, detail: reason },
      { part: 'object', name: 'Service etcd-client', healthy: false, detail: by },
    ],
  })
})

it('creating again puts them back', async () => {
  expect((await lab.run(create)).code).toBe(0)
  expect(await status()).toEqual({ code: 0, unhealthy: [] })
})

it('a Secret that lost one of its files is told with the file, and the administrator’s with what it is for', async () => {
  await host.patch(object('Secret', 'etcd'), { data: { 'peer.key': null } }, { type: 'merge' })
  await host.delete(object('Secret', 'admin-kubeconfig'))
  const { code, unhealthy } = await status()
  expect(code).toBe(1)
  expect(unhealthy.filter(row => row.part === 'object').map(row => `${row.name}: ${row.detail}`)).toEqual([
    "Secret admin-kubeconfig: deleted: coe cannot access the federation's API without it",
    'Secret etcd: it has no peer.key: its pods cannot start again without it',
  ])
  expect((await lab.run(create)).code).toBe(0)
  expect(await status()).toEqual({ code: 0, unhealthy: [] })
})

it('who may not list Services sees the rest all the same', async () => {
  const fault = lab.sandbox.host.faults.order({
    path: /\/namespaces\/coe-fed-shop\/services/,
    method: 'GET',
    times: 1,
    effect: { kind: 'answer', status: 403 },
  })
  expect(await status()).toEqual({ code: 0, unhealthy: [] })
  fault.remove()
})

it('a cluster that is being deleted is not shown as ready', async () => {
  const world = kubeWorld({ env: lab.env, home: lab.home })
  const federation = connectCluster(await resolveContext(world, await loadKubeconfig(world), 'shop'), connectOptions())
  const ref = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: 'c2' }
  const live = await federation.get(ref)
  const finalizers = [...(live?.metadata.finalizers ?? []), 'example.com/hold']
  await federation.patch(ref, { metadata: { finalizers } }, { type: 'merge' })
  await federation.delete(ref)
  const members = JSON.parse((await lab.run('federation members shop -f json')).out)
  expect(members).toMatchObject([
    { name: 'c2', ready: false, reason: expect.stringContaining('Deleting: being removed from the federation') },
  ])
  expect((await lab.run('federation members shop --not-ready -f value -c name')).out).toBe('c2\n')
  expect((await status()).unhealthy).toMatchObject([{ part: 'member', name: 'c2', healthy: false }])
})
