/** A member whose account was deleted there: a join makes it anew, and the federation's controllers must go by the new one. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadKubeconfig, resolveContext } from '../../../../src/config/kubeconfig/kubeconfig.ts'
import { poll } from '../../../../src/core/poll.ts'
import { systemClock } from '../../../../src/core/time.ts'
import { connectCluster } from '../../../../src/kube/access/connect.ts'
import type { ClusterApi } from '../../../../src/kube/api/cluster-api.ts'
import {
  configMap,
  configMapPolicy,
  connectAdmin,
  connectOptions,
  kubeWorld,
  namespaceObject,
} from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
let federation: ClusterApi
let host: ClusterApi
let c2: ClusterApi
beforeAll(async () => {
  lab = await startLab({ members: 1 })
  await ok('federation create shop --host host --expose nodeport')
  await ok('federation join shop c2')
  const world = kubeWorld({ env: lab.env, home: lab.home })
  federation = connectCluster(await resolveContext(world, await loadKubeconfig(world), 'shop'), connectOptions())
  host = await connectAdmin(lab.sandbox.host)
  c2 = await connectAdmin(lab.sandbox.cluster('c2'))
  await federation.create(namespaceObject('store'))
  await federation.create(configMapPolicy('store', ['c2']))
  await federation.create(configMap('before', 'store', { keys: 'the first' }))
  await until('the first on the member', () => there('before'))
})
afterAll(() => lab.close())

async function ok(line: string): Promise<string> {
  const { code, out, err } = await lab.run(line)
  expect(code, `${line}\n${out}${err}`).toBe(0)
  return out
}
const until = (what: string, look: () => Promise<unknown>) =>
  poll(async () => (await look()) || undefined, { clock: systemClock, timeoutMs: 60_000, intervalMs: 50, what })
const there = async (name: string) => c2.get({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'store' })
const controllers = async () => {
  const ref = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'karmada-controller-manager' }
  return (await host.get({ ...ref, namespace: 'coe-fed-shop' }))?.metadata.generation
}
const token = { apiVersion: 'v1', kind: 'Secret', name: 'karmada-c2', namespace: 'karmada-cluster' }
const account = { ...token, kind: 'ServiceAccount' }
/** Its token goes with it. */
async function deleteAccount() {
  await c2.delete(account)
  await until('the token gone', async () => !(await c2.exists(token)))
}

it('a join that finds the keys as they were starts nothing anew', async () => {
  const before = await controllers()
  expect(await ok('federation join shop c2')).toContain('nothing to do')
  expect(await controllers()).toBe(before)
})

it('one that brings the same token back does not, either', async () => {
  const before = await controllers()
  await c2.delete(token)
  expect(await ok('federation join shop c2')).toContain('Cluster c2 joined')
  expect(await controllers()).toBe(before)
})

it('a join that makes them anew has the controllers take them', async () => {
  const before = await controllers()
  await deleteAccount()
  expect(await ok('federation join shop c2 --dry-run')).toContain('Deployment karmada-controller-manager')
  expect(await controllers()).toBe(before)
  await ok('federation join shop c2')
  expect(await controllers()).not.toBe(before)
  await federation.create(configMap('after', 'store', { keys: 'the second' }))
  await until('the second on the member', () => there('after'))
  await federation.delete({ apiVersion: 'v1', kind: 'ConfigMap', name: 'before', namespace: 'store' })
  await until('the first gone from the member', async () => (await there('before')) === undefined)
})

it('one that was killed before they were started anew is made good by the next', async () => {
  await deleteAccount()
  const fault = lab.sandbox.host.faults.order({
    path: /deployments\/karmada-controller-manager/,
    method: 'PATCH',
    times: 100,
    effect: { kind: 'answer', status: 403 },
  })
  expect((await lab.run('federation join shop c2')).code).not.toBe(0)
  fault.remove()
  const before = await controllers()
  await ok('federation join shop c2')
  const rolled = await controllers()
  expect(rolled).not.toBe(before)
  expect(await ok('federation create shop --host host')).toContain('unchanged')
  expect(await ok('federation join shop c2')).toContain('nothing to do')
  expect(await controllers()).toBe(rolled)
})

it('and so its workloads go with it', async () => {
  await ok('federation unjoin shop c2 --workloads delete --yes --wait-timeout 30s')
  expect(await there('after')).toBeUndefined()
  await ok('federation delete shop --yes')
})
