/** update, resize and upgrade: what they send, what they leave alone, what they refuse. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { seedCluster, seedTemplate } from '../../../src/sandbox/openstack/seed.ts'
import { startCloud, type TestCloud } from '../../support/cloud.ts'
import { changesSent } from '../../support/sent.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ clusters: 2 })
  const { accounts, state } = cloud.sandbox.openstack
  const owner = { projectId: accounts.projects.demo.id, userId: accounts.users.demo.id }
  const next = seedTemplate(state, owner, { name: 'next', labels: { kube_tag: 'v1.24.1' } })
  await seedCluster(state, owner, next, { name: 'busy', status: 'CREATE_IN_PROGRESS' })
  await seedCluster(state, owner, next, { name: 'failed', status: 'UPDATE_FAILED' })
  await seedCluster(state, owner, next, { name: 'a-fail-update' })
})
afterAll(() => cloud.close())
beforeEach(() => {
  cloud.sandbox.faults.clear()
  cloud.sandbox.clock.advance(60_000)
})

const value = async (cluster: string, column: string) =>
  (await cloud.run(`cluster show ${cluster} -f value -c ${column}`)).out.trim()

describe('coe cluster update', () => {
  it('takes the positional dialect and says what upstream says', async () => {
    const { code, out, err } = await cloud.run('cluster update cluster1 replace node_count=4 --trace')
    expect({ code, out }).toEqual({ code: 0, out: 'Request to update cluster cluster1 has been accepted.\n' })
    const [sent] = changesSent(err)
    expect(sent).toMatchObject({ method: 'PATCH', body: [{ op: 'replace', path: '/node_count', value: 4 }] })
  })

  it('takes the dialect of options, and looks until the count is so', async () => {
    const { code, out } = await cloud.run('cluster update cluster1 --node-count 2 --rollback --wait -f json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 2 })
  })

  // difference: rollback-sent
  it('sends --rollback, which upstream drops', async () => {
    const { err } = await cloud.run('cluster update cluster1 add node_count=3 --rollback --trace')
    expect(changesSent(err)).toEqual([
      {
        method: 'PATCH',
        path: expect.stringMatching(/\?rollback=True$/),
        version: '1.3',
        body: [{ op: 'replace', path: '/node_count', value: 3 }],
      },
    ])
  })

  // difference: unchanged-is-done
  it('leaves alone what is so already', async () => {
    const { code, out, err } = await cloud.run('cluster update cluster1 --node-count 3 --trace')
    expect({ code, out }).toEqual({ code: 0, out: 'Cluster cluster1 already has these values: unchanged\n' })
    expect(changesSent(err)).toEqual([])
  })

  it('sets the health, as what looks after a cluster does', async () => {
    const line = 'cluster update cluster2 replace health_status=UNHEALTHY health_status_reason=api=down --trace'
    const { code, err } = await cloud.run(line)
    expect(code).toBe(0)
    expect(changesSent(err)[0]?.body).toEqual([
      { op: 'replace', path: '/health_status', value: 'UNHEALTHY' },
      { op: 'replace', path: '/health_status_reason', value: '{"api":"down"}' },
    ])
  })

  // difference: impossible-updates
  it.each([
    ['--name other', 'name', 'a cluster keeps its name'],
    ['replace name=other', 'name', 'a cluster keeps its name'],
    ['--label a=b', 'labels', 'coe cluster upgrade cluster1 TEMPLATE'],
    ['--no-label a', 'labels', 'coe cluster upgrade cluster1 TEMPLATE'],
    ['add labels/a=b', 'labels', 'coe cluster upgrade cluster1 TEMPLATE'],
    ['replace cluster_template_id=next', 'cluster_template_id', 'coe cluster upgrade cluster1 TEMPLATE'],
    ['--master-count 3', 'master_count', 'create another cluster'],
    ['replace flavor_id=m1.large', 'flavor_id', 'coe nodegroup create cluster1 NAME --flavor FLAVOR'],
    ['replace nosuch=1', 'nosuch', 'coe cluster show cluster1'],
  ])('refuses %s without asking anybody, and says what can', async (change, field, hint) => {
    cloud.sandbox.log.clear()
    const { code, err } = await cloud.run(`cluster update cluster1 ${change}`)
    expect(code).toBe(2)
    expect(err).toContain(`coe: Magnum cannot change ${field} of a cluster`)
    expect(err).toContain(hint)
    expect(cloud.sandbox.log.all().filter(e => e.url.includes('/clusters'))).toEqual([])
  })

  it.each([
    ['', 'nothing to update'],
    ['replace', '"replace" needs something to replace'],
    ['swap node_count=1', '<op>: "swap" is not one of add, replace, remove'],
    ['replace node_count=many', '"many" is not a number of nodes'],
    ['remove node_count', 'node_count cannot be removed'],
    ['--node-count 2 replace node_count=3', 'node_count is given twice, with different values'],
    ['replace node_count=2 node_count=3', 'node_count is given twice, with different values'],
  ])('wants to be told what: "%s"', async (change, says) => {
    const { code, err } = await cloud.run(`cluster update cluster1 ${change}`)
    expect(code).toBe(2)
    expect(err).toContain(says)
  })

  // difference: states-checked
  it('refuses a cluster that Magnum would accept the request for and then ignore', async () => {
    const busy = await cloud.run('cluster update busy --node-count 2')
    expect(busy.code).toBe(5)
    expect(busy.err).toContain('cluster "busy" cannot be updated now: it is CREATE_IN_PROGRESS')
    expect(busy.err).toContain('coe cluster wait busy')
  })

  it('changes one that has no nodes, which older API versions refuse', async () => {
    expect((await cloud.run('cluster update cluster1 --node-count 0 --wait')).code).toBe(0)
    const { code, err } = await cloud.run('cluster update cluster1 replace health_status=UNKNOWN --trace')
    expect(code).toBe(0)
    expect(changesSent(err).at(-1)?.version).toBe('1.10')
    expect(await value('cluster1', 'health_status')).toBe('UNKNOWN')
  })

  it('ends with the reason when it fails', async () => {
    const { code, err } = await cloud.run('cluster update a-fail-update --node-count 2 --wait')
    expect(code).toBe(1)
    expect(err).toContain('coe: cluster "a-fail-update" is UPDATE_FAILED: ')
  })
})

describe('coe cluster resize', () => {
  it('says what upstream says', async () => {
    const { code, out, err } = await cloud.run(
      'cluster resize cluster2 3 --nodes-to-remove s1 --nodes-to-remove s2 --trace',
    )
    expect({ code, out }).toEqual({ code: 0, out: 'Request to resize cluster cluster2 has been accepted.\n' })
    const [sent] = changesSent(err)
    expect(sent).toMatchObject({ version: '1.7', body: { node_count: 3, nodes_to_remove: ['s1', 's2'] } })
  })

  it('waits until the group has its size', async () => {
    const { code, out } = await cloud.run('cluster resize cluster2 5 --wait -f value -c node_count -c status')
    expect({ code, out }).toEqual({ code: 0, out: 'UPDATE_COMPLETE\n5\n' })
  })

  it('leaves alone what is so already', async () => {
    const { out, err } = await cloud.run('cluster resize cluster2 5 --trace')
    expect(out).toBe('Cluster cluster2 already has 5 nodes: unchanged\n')
    expect(changesSent(err)).toEqual([])
  })

  it('knows a node group’s size from the cluster’s', async () => {
    expect((await cloud.run('nodegroup create cluster2 gpu --node-count 2 --wait')).code).toBe(0)
    // seven in all: that is no reason to take seven default workers for given
    const seven = await cloud.run('cluster resize cluster2 7 --wait -f value -c node_count')
    expect(seven.out).toBe('9\n')
    const gpu = await cloud.run('cluster resize cluster2 2 --nodegroup gpu')
    expect(gpu.out).toBe('Node group gpu of cluster2 already has 2 nodes: unchanged\n')
    const less = await cloud.run('cluster resize cluster2 1 --nodegroup gpu --wait --trace')
    expect(changesSent(less.err)[0]).toMatchObject({ version: '1.9', body: { node_count: 1, nodegroup: 'gpu' } })
    expect(await value('cluster2', 'node_count')).toBe('8')
  })

  it('tells which groups there are when there is none of that name', async () => {
    const { code, err } = await cloud.run('cluster resize cluster2 1 --nodegroup gpus')
    expect(code).toBe(3)
    expect(err).toContain('coe: no node group "gpus" in cluster "cluster2"')
    expect(err).toContain('did you mean "gpu"?')
  })

  it('may mend a cluster whose last update failed', async () => {
    const refused = await cloud.run('cluster upgrade failed k8s')
    expect(refused.code).toBe(5)
    expect(refused.err).toContain(
      'hint: a resize is allowed, and may repair it: coe cluster resize failed NODES --wait',
    )
    expect((await cloud.run('cluster resize failed 2 --wait')).code).toBe(0)
    expect(await value('failed', 'status')).toBe('UPDATE_COMPLETE')
  })

  it.each([
    ['cluster resize cluster2', 'needs <node_count>'],
    ['cluster resize cluster2 many', '<node_count>: "many" is not a whole number'],
    ['cluster resize cluster2 -- -1', '<node_count>: -1 is less than 0'],
  ])('%s', async (line, says) => {
    const { code, err } = await cloud.run(line)
    expect(code).toBe(2)
    expect(err).toContain(says)
  })

  it('tells which clusters there are when there is none of that name', async () => {
    const { code, err } = await cloud.run('cluster resize clustr2 1')
    expect(code).toBe(3)
    expect(err).toContain('no cluster "clustr2" in cloud')
    expect(err).toContain('did you mean "cluster2"')
  })
})

describe('coe cluster upgrade', () => {
  it('says what upstream says', async () => {
    const { code, out, err } = await cloud.run('cluster upgrade cluster1 next --max-batch-size 2 --trace')
    expect({ code, out }).toEqual({ code: 0, out: 'Request to upgrade cluster cluster1 has been accepted.\n' })
    const [sent] = changesSent(err)
    expect(sent).toMatchObject({ version: '1.8', body: { cluster_template: 'next', max_batch_size: 2 } })
  })

  it('looks until it is done', async () => {
    const { code, out } = await cloud.run('cluster upgrade cluster2 next --wait -f json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: 'UPDATE_COMPLETE' })
  })

  it('tells of a template that is not there', async () => {
    const { code, err } = await cloud.run('cluster upgrade cluster1 nxt')
    expect(code).toBe(3)
    expect(err).toContain('no cluster template "nxt" in cloud')
    expect(err).toContain('did you mean "next"?')
  })
})

describe('a reference with a prefix', () => {
  it('is a name in this Magnum', async () => {
    for (const line of [
      'cluster create own --cluster-template k8s --wait',
      'cluster resize magnum:own 2 --wait',
      'cluster update magnum:own --node-count 3 --wait',
      'cluster upgrade magnum:own next --wait',
      'cluster wait magnum:own',
      'cluster delete magnum:own --force --wait',
    ])
      expect(await cloud.run(line), line).toMatchObject({ code: 0 })
    expect((await cloud.run('cluster show own')).code).toBe(3)
  })

  it.each([
    'resize kube:c2 2',
    'update kube:c2 --node-count 2',
    'upgrade kube:c2 next',
    'delete kube:c2',
    'wait kube:c2',
  ])('is refused for a cluster of another driver: %s', async words => {
    cloud.sandbox.log.clear()
    const { code, err } = await cloud.run(`cluster ${words}`)
    expect(code).toBe(2)
    expect(err).toContain('"kube:c2" names a cluster outside this Magnum')
    expect(cloud.sandbox.log.all().filter(e => e.url.includes('/clusters'))).toEqual([])
  })
})
