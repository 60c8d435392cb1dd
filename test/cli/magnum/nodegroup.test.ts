import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../../support/cloud.ts'
import { changesSent } from '../../support/sent.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ clusters: 2 })
})
afterAll(() => cloud.close())
beforeEach(() => cloud.sandbox.faults.clear())

const field = async (group: string, name: string) =>
  (await cloud.run(`nodegroup show cluster1 ${group} -f value -c ${name}`)).out.trim()

describe('coe nodegroup create', () => {
  it('prints the words of upstream, and sends only what was said', async () => {
    const { code, out, err } = await cloud.run('nodegroup create cluster1 plain --trace')
    expect(code).toBe(0)
    expect(out).toMatch(/^Request to create nodegroup [\da-f-]{36} accepted\n$/)
    expect(changesSent(err)).toEqual([
      { method: 'POST', path: '/clusters/cluster1/nodegroups', version: '1.9', body: { name: 'plain' } },
    ])
  })

  it('puts every option where it belongs', async () => {
    const { code, err } = await cloud.run(
      'nodegroup create cluster1 full --node-count 2 --min-nodes 1 --max-nodes 5 --role gpu --flavor m1.medium --image fedora-coreos-38 --docker-volume-size 9 --labels a=1,b=2 --label c=x,y --merge-labels --trace',
    )
    expect(code).toBe(0)
    expect(changesSent(err)[0]?.body).toEqual({
      name: 'full',
      node_count: 2,
      min_node_count: 1,
      max_node_count: 5,
      role: 'gpu',
      flavor_id: 'm1.medium',
      image_id: 'fedora-coreos-38',
      docker_volume_size: 9,
      labels: { a: '1', b: '2', c: 'x,y' },
      merge_labels: true,
    })
  })

  it('with --wait looks until group and cluster are complete, and prints the group as it became', async () => {
    const { code, out, err } = await cloud.run('nodegroup create cluster1 waited --max-nodes 4 --wait -f json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ name: 'waited', status: 'CREATE_COMPLETE', max_node_count: 4 })
    expect(err).toContain('waited: CREATE_COMPLETE')
    expect((await cloud.run('cluster show cluster1 -f value -c status')).out).toBe('UPDATE_COMPLETE\n')
  })

  it('refuses a name that the cluster has, or takes it as it really is', async () => {
    const refused = await cloud.run('nodegroup create cluster1 waited')
    expect(refused.code).toBe(5)
    expect(refused.err).toContain('node group "waited" of cluster "cluster1" exists already')
    expect(refused.err).not.toContain('--allow-duplicate')
    const taken = await cloud.run('nodegroup create cluster1 waited --if-not-exists -f json')
    expect(taken.code).toBe(0)
    expect(JSON.parse(taken.out).max_node_count).toBe(4) // lists say null
    expect(taken.err).toMatch(/^Node group waited exists already .*unchanged\n$/)
  })

  it('takes no group that failed for what was asked for', async () => {
    const group = [...cloud.sandbox.openstack.state.store.clusters.values()]
      .flatMap(c => c.nodegroups)
      .find(g => g.name === 'waited')
    const before = group?.status
    if (group) group.status = 'CREATE_FAILED'
    const { code, out, err } = await cloud.run('nodegroup create cluster1 waited --if-not-exists')
    if (group && before) group.status = before
    expect([code, out]).toEqual([5, ''])
    expect(err).toMatch(
      /exists already .*, but it is CREATE_FAILED\nhint: .*coe nodegroup delete cluster1 waited --wait/,
    )
  })

  it('settles a lost answer by looking', async () => {
    cloud.sandbox.faults.order({ method: 'POST', path: /nodegroups/, effect: { kind: 'reset-after' } })
    expect(await cloud.run('nodegroup create cluster1 lost')).toMatchObject({ code: 0 })
  })

  it('warns of labels that would be lost', async () => {
    const { code, err } = await cloud.run('nodegroup create cluster1 relabelled --labels z=1')
    expect(code).toBe(0)
    expect(err).toContain('the group will not have kube_tag; --merge-labels keeps them')
  })

  it.each([
    ['cluster1 x --node-count 5 --max-nodes 2', 2, '--node-count is 5, which is not between'],
    ['cluster1 x --min-nodes 3', 2, '--node-count is 1, which is not between'],
    ['cluster1 x --min-nodes 5 --max-nodes 3', 2, '--min-nodes 5 is more than --max-nodes 3'],
    ['cluster1 x --node-count 99999999999999999999', 2, '99999999999999999999 is too large'],
    ['cluster1 x --node-taints a=b:Nope', 2, '"Nope" is not one of NoSchedule, PreferNoSchedule, NoExecute'],
    ['cluster1 x --role master', 1, 'Creating master nodegroups is currently not supported'],
    ['cluster3 x', 3, 'did you mean "cluster'],
    ['cluster1 x --node-labels a=b', 1, 'coe: a label or taint of nodes needs API version 1.14'],
  ])('%s ends with exit code %i', async (words, code, says) => {
    const result = await cloud.run(`nodegroup create ${words}`)
    expect(result.err).toContain(says)
    expect(result.code).toBe(code)
  })

  it('says to wait for a cluster that has no API yet', async () => {
    await cloud.run('cluster create fresh --cluster-template k8s')
    const { code, err } = await cloud.run('nodegroup create fresh x')
    expect(code).toBe(5)
    expect(err).toContain('API address is not available yet')
    expect(err).toContain('coe cluster wait')
  })
})

describe('coe nodegroup list and show', () => {
  it('lists no bounds: servers make them up', async () => {
    const { out } = await cloud.run('nodegroup list cluster1 --long -f json')
    const group = JSON.parse(out).find((g: { name: string }) => g.name === 'full')
    expect(group).toMatchObject({ node_count: 2, role: 'gpu', is_default: false })
    expect(group).not.toHaveProperty('min_node_count')
    const asked = await cloud.run('nodegroup list cluster1 -c min_node_count')
    expect(asked.code).toBe(2)
  })

  it('filters by role', async () => {
    expect((await cloud.run('nodegroup list cluster1 --role master -o name')).out).toBe('default-master\n')
  })

  it.each([
    ['cluster1 fulll', 'no node group "fulll" in cluster "cluster1"', 'did you mean "full"?'],
    ['clustre2 full', 'no cluster "clustre2" in cloud "envvars", project demo', 'did you mean "cluster'],
  ])('show %s says which of the two is not there', async (words, says, hint) => {
    const { code, err } = await cloud.run(`nodegroup show ${words}`)
    expect(code).toBe(3)
    expect(err).toContain(says)
    expect(err).toContain(hint)
  })
})

describe('coe nodegroup update', () => {
  beforeAll(async () => {
    await cloud.run('nodegroup create cluster1 bounds --node-count 3 --min-nodes 3 --max-nodes 3 --wait')
  })

  // difference: both-dialects
  it('understands both dialects', async () => {
    const older = await cloud.run('nodegroup update cluster1 bounds replace max_node_count=6 --wait')
    expect(older).toMatchObject({ code: 0, out: 'Request to update nodegroup bounds has been accepted.\n' })
    expect(await field('bounds', 'max_node_count')).toBe('6')
    const newer = await cloud.run('nodegroup update cluster1 bounds --min-nodes 1 --max-nodes 5 --wait')
    expect(newer.code).toBe(0)
    expect(await field('bounds', 'min_node_count')).toBe('1')
    expect((await cloud.run('nodegroup update cluster1 bounds remove max_node_count --wait')).code).toBe(0)
    expect(await field('bounds', 'max_node_count')).toBe('None')
  })

  // difference: bounds-in-order
  it('sets the bound that a resize needs, says that it must come first, and goes on after it', async () => {
    await cloud.run('nodegroup update cluster1 bounds --min-nodes 3 --max-nodes 3 --wait')
    const first = await cloud.run('nodegroup update cluster1 bounds --min-nodes 5 --max-nodes 10')
    expect(first.code).toBe(5)
    expect(first.err).toContain('has 3 nodes, so its min_node_count cannot be 5 yet; max_node_count is now 10')
    expect(first.err).toContain('coe cluster resize cluster1 5 --nodegroup bounds')
    await cloud.run('cluster wait cluster1')
    expect((await cloud.run('cluster resize cluster1 5 --nodegroup bounds --wait')).code).toBe(0)
    expect((await cloud.run('nodegroup update cluster1 bounds --min-nodes 5 --max-nodes 10 --wait')).code).toBe(0)
    expect(await field('bounds', 'min_node_count')).toBe('5')
  })

  it('says the same of a maximum below what there is', async () => {
    const { code, err } = await cloud.run('nodegroup update cluster1 bounds --max-nodes 2 --min-nodes 0')
    expect(code).toBe(5)
    expect(err).toContain('its max_node_count cannot be 2 yet; min_node_count is now 0')
  })

  it.each([
    ['', 'nothing to update', '--max-nodes N'],
    ['replace node_count=4', 'cannot change node_count', 'coe cluster resize cluster1 4 --nodegroup bounds'],
    ['replace flavor_id=m1.large', 'cannot change flavor_id', 'create another group'],
    ['--min-nodes 6 --max-nodes 5', 'at least 6 and at most 5', ''],
  ])('"%s" is refused here', async (words, says, hint) => {
    const { code, err } = await cloud.run(`nodegroup update cluster1 bounds ${words} --trace`)
    expect(code).toBe(2)
    expect(err).toContain(says)
    expect(err).toContain(hint)
    expect(changesSent(err)).toEqual([])
  })

  it('looks at the state first: Magnum would say yes, and do nothing', async () => {
    await cloud.run('nodegroup create cluster2 young')
    const { code, err } = await cloud.run('nodegroup update cluster2 young --max-nodes 4')
    expect(code).toBe(5)
    expect(err).toContain('cannot be changed now: it is CREATE_IN_PROGRESS')
  })
})

describe('coe nodegroup delete', () => {
  it('goes on after a failure, and says which could not be deleted', async () => {
    const { code, out, err } = await cloud.run('nodegroup delete cluster1 full default-worker nosuch')
    expect(code).toBe(6)
    expect(out).toBe('Request to delete nodegroup full has been accepted.\n')
    expect(err).toContain('Deleting a default nodegroup is not supported')
    expect(err).toContain('are deleted with the cluster')
    expect(err).toContain('no node group "nosuch"')
  })

  it('with --wait looks until it is gone; safe to repeat', async () => {
    const line = 'nodegroup delete cluster1 waited plain --wait --ignore-not-found -f json'
    const first = await cloud.run(line)
    expect(first.code).toBe(0)
    expect(JSON.parse(first.out)).toEqual([
      { nodegroup: 'waited', result: 'deleted' },
      { nodegroup: 'plain', result: 'deleted' },
    ])
    expect((await cloud.run('nodegroup list cluster1 -o name')).out).not.toMatch(/waited|plain/)
    expect(JSON.parse((await cloud.run(line)).out).map((r: { result: string }) => r.result)).toEqual([
      'missing',
      'missing',
    ])
  })
})

describe('on a server of 2026.2', () => {
  it('labels and taints of nodes can be given, and changed', async () => {
    const newest = await startCloud({ clusters: 1, magnumMax: '1.14' })
    const created = await newest.run(
      'nodegroup create cluster1 gpu --node-labels kind=gpu --node-taints gpu=yes:NoSchedule,slow:NoExecute --wait --trace',
    )
    expect(created.code).toBe(0)
    expect(changesSent(created.err)[0]).toMatchObject({
      version: '1.14',
      body: {
        node_labels: { kind: 'gpu' },
        node_taints: [
          { key: 'gpu', value: 'yes', effect: 'NoSchedule' },
          { key: 'slow', effect: 'NoExecute' },
        ],
      },
    })
    const updated = await newest.run([
      ...'nodegroup update cluster1 gpu --node-labels a=b,c=d --wait --trace --node-taints'.split(' '),
      '',
    ])
    expect(changesSent(updated.err)[0]?.body).toEqual([
      { op: 'replace', path: '/node_labels', value: '{"a":"b","c":"d"}' },
      { op: 'replace', path: '/node_taints', value: '[]' },
    ])
    const shown = await newest.run('nodegroup show cluster1 gpu -o wide -c node_labels')
    expect(shown.out).toContain("{'a': 'b', 'c': 'd'}")
    await newest.close()
  })
})
