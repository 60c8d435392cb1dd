/** A real etcd that loses its data under real API servers: what they remember is told, forgotten, and restored. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Clusters, clustersThere, openClusters } from './clusters.ts'
import { told } from './scene.ts'

let at: Clusters
const member = 'c2'

beforeAll(async () => {
  if (!clustersThere) return
  at = await openClusters()
  await at.ok(`federation create ${at.name} --host host --expose nodeport --storage emptydir`)
  await at.ok(`federation join ${at.name} ${member}`)
  const pods = ['-n', `coe-fed-${at.name}`]
  await at.kubectl('host', ...pods, 'delete', 'pod', 'etcd-0')
  await at.kubectl('host', ...pods, 'wait', '--for=condition=Ready', 'pod/etcd-0', '--timeout=120s')
})
afterAll(async () => {
  if (!at) return
  await at.ok(`federation delete ${at.name} --unjoin --yes --ignore-not-found`)
  expect(await at.left()).toEqual([])
  await at.close()
})

describe.runIf(clustersThere)('etcd has lost its data', () => {
  it('is told, though the API lists all that there was', async () => {
    const listed = await at.kubectl(at.name, 'get', 'clusters', '-o', 'name')
    expect(listed).toContain(member)
    const ended = await at.run(`federation status ${at.name} -f value -c part -c name -c healthy`)
    expect(ended.code, told('status', ended)).toBe(1)
    expect(ended.out).toContain('object Data in etcd False\n')
    expect(ended.out).toContain(`member ${member} None\n`)
    expect(await at.ok(`federation show ${at.name} -f value -c status_reason`)).toContain('Data in etcd: lost')
  })

  it('is restored by create and join', async () => {
    const refused = await at.run(`federation join ${at.name} ${member}`)
    expect(refused.code, told('join', refused)).toBe(1)
    await at.ok(`federation create ${at.name} --host host`)
    expect(await at.kubectl(at.name, 'get', 'clusters', '-o', 'name')).toBe('')
    await at.ok(`federation join ${at.name} ${member}`)
    await at.ok(`federation status ${at.name}`)
  })
})
