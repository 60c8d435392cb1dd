/** --ha on node ports, and a node is off: other nodes are asked, a plane that serves is looked at and mended, and members join. */
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { ClusterApi } from '../../../../src/kube/api/cluster-api.ts'
import { connectAdmin } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
let host: ClusterApi
const create = 'federation create shop --host host --expose nodeport --ha'
beforeAll(async () => {
  lab = await startLab({ members: 2, host: { nodes: 3 } })
  host = await connectAdmin(lab.sandbox.host)
  await ok(create)
})
afterEach(() => {
  for (const node of ['host-1', 'host-2', 'host-3']) lab.sandbox.host.turnNode(node, 'on')
})
afterAll(() => lab.close())

async function ok(line: string): Promise<{ out: string; err: string }> {
  const { code, out, err } = await lab.run(line)
  expect(code, `${line}\n${out}${err}`).toBe(0)
  return { out, err }
}
const serverOf = async () => {
  const { clusters } = parse(await readFile(lab.kubeconfig, 'utf8'))
  return clusters.find((c: { name: string }) => c.name === 'shop')?.cluster.server as string | undefined
}
const api = async () => {
  const rows = JSON.parse((await lab.run('federation status shop -f json')).out) as {
    part: string
    healthy: boolean
    name: string
  }[]
  return rows.find(row => row.part === 'api')
}
const firstOff = () => lab.sandbox.host.turnNode('host-1', 'off')

it('status, members and join go by another node', async () => {
  const recorded = await serverOf()
  firstOff()
  const seen = await api()
  expect(seen?.healthy).toBe(true)
  expect(seen?.name).not.toBe(recorded)
  await ok('federation join shop c2')
  expect((await ok('federation members shop -f value -c name -c ready')).out).toBe('c2 True\n')
  expect((await ok('federation kubeconfig shop')).out).toContain(String(seen?.name))
})

it('create mends it, tells what is away, and writes an address that answers', async () => {
  firstOff()
  const before = await serverOf()
  await host.delete({ apiVersion: 'v1', kind: 'Service', name: 'karmada-webhook', namespace: 'coe-fed-shop' })
  const { err } = await ok('federation create shop --host host')
  expect(err).toContain('node host-1 is not Ready')
  expect(
    await host.exists({ apiVersion: 'v1', kind: 'Service', name: 'karmada-webhook', namespace: 'coe-fed-shop' }),
  ).toBe(true)
  const now = await serverOf()
  expect(now).not.toBe(before)
  expect((await api())?.name).toBe(now)
  expect((await ok('federation create shop --host host')).out).toContain('unchanged')
})

it('a look at what a change would do is not refused for want of a third node', async () => {
  firstOff()
  const line = 'federation create shop --host host --toleration a=b --dry-run'
  const { err } = await ok(line)
  expect(err).toContain('warning: --ha needs 3 Ready nodes')
})

it('one that is not finished can be finished', async () => {
  const name = 'coe-federation'
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'coe-fed-shop' }
  await host.patch(ref, { data: { state: 'creating' } }, { type: 'merge' })
  firstOff()
  expect((await lab.run('federation join shop c3')).code).toBe(5)
  expect((await ok('federation create shop --host host')).out).toContain('is created')
  await ok('federation join shop c3')
})

it('the way in is there as soon as it is known, though the rest fails', async () => {
  await ok('federation delete shop --unjoin --yes')
  expect(await serverOf()).toBeUndefined()
  const fault = lab.sandbox.host.faults.order({
    path: /deployments\/karmada-webhook/,
    method: 'PATCH',
    times: 100,
    effect: { kind: 'answer', status: 403 },
  })
  expect((await lab.run(create)).code).not.toBe(0)
  fault.remove()
  expect(await serverOf()).toMatch(/^https:/)
  await ok(create)
})

it('a first creation is still refused where nodes are wanting', async () => {
  await ok('federation delete shop --yes')
  firstOff()
  const { code, err } = await lab.run(create)
  expect(code).toBe(1)
  expect(err).toContain('--ha needs 3 Ready nodes that take pods, but the host has 2 (of 3 nodes)')
})
