/** Every change of Magnum that can be waited for gives up when it is told to: exit 7, and nothing claimed. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../support/cloud.ts'

let cloud: TestCloud
beforeAll(async () => {
  const hour = 3_600_000
  cloud = await startCloud({ clusters: 9, magnumMax: '1.14', timing: { create: hour, update: hour, delete: hour } })
  const { code, err } = await cloud.run(
    'cluster template create newer --coe kubernetes --image fedora-coreos-38 --external-network public',
  )
  expect([code, err]).toEqual([0, ''])
  expect((await cloud.run('nodegroup create cluster7 spare --node-count 1')).code).toBe(0)
  cloud.sandbox.clock.advance(2 * hour)
})
afterAll(() => cloud.close())

it.each([
  'cluster create late --cluster-template k8s',
  'cluster update cluster1 --node-count 2',
  'cluster resize cluster2 3',
  'cluster upgrade cluster3 newer --nodegroup default-worker',
  'cluster delete cluster4',
  'nodegroup create cluster5 extra --node-count 1',
  'nodegroup update cluster6 default-worker replace max_node_count=7',
  'nodegroup delete cluster7 spare',
  'ca rotate cluster8 --yes',
  'credential rotate cluster9',
])('coe %s --wait --wait-timeout 30s', async line => {
  const { code, err } = await cloud.run(`${line} --wait --wait-timeout 30s`)
  expect([code, err]).toEqual([7, expect.stringContaining('after 30s')])
})
