import { describe, expect, it } from 'vitest'
import { type Cloud, cloud, errorOf } from './cloud.ts'

const show = async ({ as }: Cloud, uuid: string) => (await as('demo/demo')('GET', `/v1/clusters/${uuid}`)).json

/** Creates a cluster and waits until it is complete. */
async function made(world: Cloud, name = 'c1', values: object = {}) {
  const uuid = await world.cluster(name, { cluster_template_id: await world.template(), ...values })
  world.sandbox.clock.advance(60_000)
  return uuid
}

describe('a cluster', () => {
  it('is accepted with a uuid, created over time, and then has an address', async () => {
    const world = await cloud()
    const template = await world.template({ keypair_id: 'testkey', flavor_id: 'm1.small' })
    const reply = await world.as('demo/demo')('POST', '/v1/clusters', {
      name: 'c1',
      cluster_template_id: template,
      node_count: 2,
    })
    expect([reply.status, Object.keys(reply.json)]).toEqual([202, ['uuid']])
    const { uuid } = reply.json
    const first = await show(world, uuid)
    expect(first).toMatchObject({ status: 'CREATE_IN_PROGRESS', stack_id: null, api_address: null, updated_at: null })
    expect(first).toMatchObject({
      keypair: 'testkey',
      flavor_id: 'm1.small',
      create_timeout: 60,
      health_status_reason: {},
    })
    world.sandbox.clock.advance(1_000)
    expect((await show(world, uuid)).stack_id).toMatch(/-/)
    world.sandbox.clock.advance(8_000)
    const last = await show(world, uuid)
    expect(last).toMatchObject({
      status: 'CREATE_COMPLETE',
      status_reason: null,
      coe_version: 'v1.22.1',
      node_count: 2,
    })
    expect(last.api_address).toMatch(/^https:/)
    expect([last.node_addresses.length, last.master_addresses.length]).toEqual([2, 1])
    expect(Object.keys(last)).not.toContain('faults')
  })

  it('has a name that decides its fate', async () => {
    const world = await cloud()
    const failed = await show(world, await made(world, 'a-fail-create'))
    expect(failed).toMatchObject({
      status: 'CREATE_FAILED',
      status_reason: 'default-master failed, default-worker failed',
      api_address: null,
    })
    expect(failed.faults['default-master']).toContain('No valid host was found.')
    expect((await show(world, await made(world, 'a-stuck'))).status).toBe('CREATE_IN_PROGRESS')
    const refused = await show(world, await made(world, 'a-reject-create'))
    expect(refused).toMatchObject({ status: 'CREATE_FAILED', stack_id: null, faults: {} })
    expect(refused.status_reason).toMatch(/^ERROR: Property error/)
    const lost = await show(world, await made(world, 'c', { fixed_network: 'private', fixed_subnet: 'nosuch' }))
    expect(lost.status_reason).toBe('Unable to find fixed subnet nosuch.')
  })

  it('cannot be created with an application credential, which is reported only afterwards', async () => {
    const world = await cloud()
    const [credential] = world.sandbox.openstack.accounts.directory.applicationCredentials
    const { headers } = await world.login({
      methods: ['application_credential'],
      application_credential: { id: credential?.id, secret: credential?.secret },
    })
    const token = headers['x-subject-token'] as string
    const body = { name: 'c1', cluster_template_id: await world.template() }
    const reply = await world.as('demo/demo')('POST', '/v1/clusters', body, { headers: { 'X-Auth-Token': token } })
    expect(reply.status).toBe(202)
    world.sandbox.clock.advance(1_000)
    const { uuid } = reply.json
    expect((await show(world, uuid)).status_reason).toBe(`Failed to create trustee or trust for Cluster: ${uuid}`)
  })

  it('has the template’s labels, or its own instead, or both merged, and shows the differences', async () => {
    const world = await cloud()
    const cluster_template_id = await world.template({ labels: { kube_tag: 'v1', a: 'b' } })
    const labelsOf = async (values: object) => {
      const { labels, labels_overridden, labels_added, labels_skipped, merge_labels } = await show(
        world,
        await world.cluster('c', { cluster_template_id, ...values }),
      )
      return { labels, labels_overridden, labels_added, labels_skipped, merge_labels }
    }
    const none = { labels_overridden: {}, labels_added: {}, labels_skipped: {}, merge_labels: false }
    expect(await labelsOf({})).toEqual({ ...none, labels: { kube_tag: 'v1', a: 'b' } })
    expect(await labelsOf({ labels: { x: 1 } })).toEqual({
      ...none,
      labels: { x: '1' },
      labels_added: { x: '1' },
      labels_skipped: { kube_tag: 'v1', a: 'b' },
    })
    expect(await labelsOf({ labels: { a: true }, merge_labels: true })).toEqual({
      ...none,
      labels: { kube_tag: 'v1', a: 'True' },
      labels_overridden: { a: 'b' },
    })
  })

  it.each([
    [{}, 400, "Invalid input for field/attribute cluster_template_id. Value: 'None'. Mandatory field missing."],
    [{ cluster_template_id: 'nosuch' }, 404, 'ClusterTemplate nosuch could not be found.'],
    [{ cluster_template_id: 'tpl', keypair: 'nokey' }, 404, 'Unable to find keypair nokey.'],
    [{ cluster_template_id: 'tpl', flavor_id: 'huge' }, 400, 'Unable to find flavor huge.'],
    [
      { cluster_template_id: 'tpl', node_count: -1 },
      400,
      "Invalid input for field/attribute node_count. Value: '-1'. Value should be greater or equal to 0",
    ],
    [
      { cluster_template_id: 'tpl', name: '9 bad' },
      400,
      "Invalid input for field/attribute name. Value: '9 bad'. Value should match the pattern ^[a-zA-Z][a-zA-Z0-9_.-]*$",
    ],
    [
      { cluster_template_id: 'tpl', master_count: 3, master_lb_enabled: false },
      400,
      'master_count must be 1 when master_lb_enabled is False',
    ],
  ])('is refused: %j', async (body, status, detail) => {
    const world = await cloud()
    await world.template()
    const reply = await world.as('demo/demo')('POST', '/v1/clusters', body)
    expect([reply.status, errorOf(reply).detail]).toEqual([status, detail])
  })

  it('is refused beyond the quota', async () => {
    const world = await cloud({ quota: 1 })
    await made(world)
    const reply = await world.as('demo/demo')('POST', '/v1/clusters', { cluster_template_id: 'tpl' })
    expect([reply.status, errorOf(reply).detail]).toEqual([
      403,
      'Resource limit exceeded: You have reached the maximum clusters per project, 1. You may delete a cluster to make room for a new one.',
    ])
  })

  it('needs 1.10 for zero nodes', async () => {
    const world = await cloud()
    const body = { cluster_template_id: await world.template(), node_count: 0 }
    const early = await world.as('demo/demo')('POST', '/v1/clusters', body, { version: '1.9' })
    expect(errorOf(early).detail).toBe('Resizing a nodegroup to zero is not supported in the provided microversion.')
    expect((await world.as('demo/demo')('POST', '/v1/clusters', body)).status).toBe(202)
  })

  it('of another project is visible only to an admin', async () => {
    const world = await cloud()
    const uuid = await made(world)
    for (const [who, statuses] of [
      ['demo2/demo', [200, 1]],
      ['alt/alt', [404, 0]],
      ['admin/admin', [200, 1]],
    ] as const) {
      const one = await world.as(who)('GET', `/v1/clusters/${uuid}`)
      const all = await world.as(who)('GET', '/v1/clusters')
      expect([one.status, all.json.clusters.length], who).toEqual(statuses)
    }
    const resized = await world.as('admin/admin')('POST', `/v1/clusters/${uuid}/actions/resize`, { node_count: 2 })
    expect(resized.status).toBe(404) // here an admin is limited to the own project like other users
  })

  it('may be created by a reader on an old server, not on a new one', async () => {
    const write = async (magnumMax: string) => {
      const world = await cloud({ magnumMax })
      return world.as('reader/demo')('POST', '/v1/clusters', { cluster_template_id: await world.template() })
    }
    expect((await write('1.10')).status).toBe(202)
    const refused = await write('1.11')
    expect([refused.status, errorOf(refused).detail]).toEqual([
      403,
      "Policy doesn't allow cluster:create to be performed.",
    ])
  })
})

describe('changes of a cluster', () => {
  it('are visible only after a while: at first the old state is shown', async () => {
    const world = await cloud()
    const uuid = await made(world)
    const patch = [{ op: 'replace', path: '/node_count', value: 3 }]
    const reply = await world.as('demo/demo')('PATCH', `/v1/clusters/${uuid}`, patch)
    expect([reply.status, reply.json]).toEqual([202, { uuid }])
    expect(await show(world, uuid)).toMatchObject({ status: 'CREATE_COMPLETE', node_count: 3 })
    world.sandbox.clock.advance(600)
    expect((await show(world, uuid)).status).toBe('UPDATE_IN_PROGRESS')
    world.sandbox.clock.advance(5_000)
    const last = await show(world, uuid)
    expect([last.status, last.node_addresses.length]).toEqual(['UPDATE_COMPLETE', 3])
  })

  it('are accepted and dropped while the cluster is not ready', async () => {
    const world = await cloud()
    const uuid = await made(world, 'a-stuck')
    const patch = [{ op: 'replace', path: '/node_count', value: 3 }]
    expect((await world.as('demo/demo')('PATCH', `/v1/clusters/${uuid}`, patch)).status).toBe(202)
    world.sandbox.clock.advance(60_000)
    expect(await show(world, uuid)).toMatchObject({ status: 'CREATE_IN_PROGRESS', node_count: 1 })
  })

  it.each([
    [[{ op: 'replace', path: '/name', value: 'x' }], 'cannot change cluster property(ies) name.'],
    [
      [
        { op: 'replace', path: '/name', value: 'x' },
        { op: 'add', path: '/labels/x', value: '1' },
      ],
      'cannot change cluster property(ies) name, labels.',
    ],
    [
      [{ op: 'add', path: '/node_count', value: 2 }],
      "The attribute /node_count has existed, please use 'replace' operation instead.",
    ],
    [
      [{ op: 'remove', path: '/nosuch' }],
      "Couldn't apply patch '[{'path': '/nosuch', 'op': 'remove'}]'. Reason: can't remove a non-existent object 'nosuch'",
    ],
  ])('are refused: %j', async (patch, detail) => {
    const world = await cloud()
    const reply = await world.as('demo/demo')('PATCH', `/v1/clusters/${await made(world)}`, patch)
    expect([reply.status, errorOf(reply).detail]).toEqual([400, detail])
  })

  it('may set its health', async () => {
    const world = await cloud()
    const uuid = await made(world)
    const patch = [
      { op: 'replace', path: '/health_status', value: 'HEALTHY' },
      { op: 'replace', path: '/health_status_reason', value: "{'api': 'ok'}" },
    ]
    expect((await world.as('demo/demo')('PATCH', `/v1/clusters/${uuid}`, patch)).status).toBe(202)
    expect(await show(world, uuid)).toMatchObject({ health_status: 'HEALTHY', health_status_reason: { api: 'ok' } })
  })

  it('leave faults if they fail, and a resize may try again', async () => {
    const world = await cloud()
    const uuid = await made(world, 'a-fail-update')
    const resize = (node_count: number) =>
      world.as('demo/demo')('POST', `/v1/clusters/${uuid}/actions/resize`, { node_count })
    expect((await resize(2)).status).toBe(202)
    world.sandbox.clock.advance(10_000)
    const failed = await show(world, uuid)
    expect(failed).toMatchObject({ status: 'UPDATE_FAILED', node_count: 2 })
    expect(Object.keys(failed.faults)).toEqual(['default-master', 'default-worker'])
    expect((await resize(3)).status).toBe(202)
    world.sandbox.clock.advance(1_000)
    expect((await show(world, uuid)).status).toBe('UPDATE_IN_PROGRESS')
  })

  it.each([
    [{}, 400, "Invalid input for field/attribute node_count. Value: 'None'. Mandatory field missing."],
    [{ node_count: 3, nodegroup: 'default-master' }, 400, 'Resizing a master nodegroup is not supported.'],
    [{ node_count: 3, nodegroup: 'nosuch' }, 404, 'Nodegroup nosuch could not be found.'],
  ])('a resize is refused: %j', async (body, status, detail) => {
    const world = await cloud()
    const reply = await world.as('demo/demo')('POST', `/v1/clusters/${await made(world)}/actions/resize`, body)
    expect([reply.status, errorOf(reply).detail]).toEqual([status, detail])
  })

  it('an upgrade takes the other template’s labels; a downgrade fails at once, and marks the cluster', async () => {
    const world = await cloud()
    const uuid = await made(world, 'c1', { labels: { own: 'x' }, merge_labels: true })
    const next = await world.template({ name: 'next', labels: { kube_tag: 'v1.23.3' } })
    const upgrade = (cluster_template: string, version = '1.10') =>
      world.as('demo/demo')('POST', `/v1/clusters/${uuid}/actions/upgrade`, { cluster_template }, { version })
    expect((await upgrade(next)).status).toBe(202)
    world.sandbox.clock.advance(10_000)
    const after = await show(world, uuid)
    expect(after).toMatchObject({ status: 'UPDATE_COMPLETE', cluster_template_id: next, coe_version: 'v1.23.3' })
    expect(after.labels).toEqual({ kube_tag: 'v1.23.3', own: 'x' })
    const back = await upgrade('tpl')
    expect([back.status, errorOf(back).detail]).toEqual([400, 'Received invalid tag for kube_tag.'])
    expect(await show(world, uuid)).toMatchObject({
      status: 'UPDATE_FAILED',
      faults: { 'default-worker': 'Received invalid tag for kube_tag.' },
    })
    expect(errorOf(await upgrade(next)).detail).toBe(
      'Upgrading a cluster when status is "UPDATE_FAILED" is not supported.',
    )
    expect(errorOf(await upgrade(next, '1.7')).detail).toBe(
      'Cluster upgrade is not supported in the provided microversion.',
    )
    expect((await upgrade(next, '1.6')).status).toBe(406)
  })

  it('a deletion is accepted at once, and the cluster exists for a while', async () => {
    const world = await cloud()
    const uuid = await made(world)
    const remove = () => world.as('demo/demo')('DELETE', `/v1/clusters/${uuid}`)
    const reply = await remove()
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect((await show(world, uuid)).status).toBe('CREATE_COMPLETE')
    world.sandbox.clock.advance(600)
    expect((await show(world, uuid)).status).toBe('DELETE_IN_PROGRESS')
    expect((await remove()).status).toBe(204)
    world.sandbox.clock.advance(5_000)
    const gone = await world.as('demo/demo')('GET', `/v1/clusters/${uuid}`)
    expect([gone.status, errorOf(gone).detail]).toEqual([404, `Cluster ${uuid} could not be found.`])
  })

  it('a deletion may fail, or be refused invisibly', async () => {
    const world = await cloud()
    const failing = await made(world, 'a-fail-delete')
    const refused = await made(world, 'a-conflict-delete')
    for (const uuid of [failing, refused]) {
      expect((await world.as('demo/demo')('DELETE', `/v1/clusters/${uuid}`)).status).toBe(204)
    }
    world.sandbox.clock.advance(10_000)
    expect((await show(world, failing)).status).toBe('DELETE_FAILED')
    expect((await show(world, refused)).status).toBe('CREATE_COMPLETE')
  })
})

describe('lists of clusters', () => {
  it('come in pages, each with a link to the next', async () => {
    const { as, sandbox } = await cloud({ clusters: 5, quota: 100 })
    const demo = as('demo/demo')
    const first = (await demo('GET', '/v1/clusters?limit=2')).json
    const uuids = first.clusters.map((row: { uuid: string }) => row.uuid)
    expect(first.next).toBe(`${sandbox.magnumUrl}/clusters?sort_key=id&sort_dir=asc&limit=2&marker=${uuids[1]}`)
    const second = (await demo('GET', `/v1/clusters?limit=2&marker=${uuids[1]}`)).json
    const third = (await demo('GET', `/v1/clusters?limit=2&marker=${second.clusters[1].uuid}`)).json
    const names = [first, second, third].flatMap(page => page.clusters.map((row: { name: string }) => row.name))
    expect(names).toEqual(['cluster1', 'cluster2', 'cluster3', 'cluster4', 'cluster5'])
    expect(third.next).toBeUndefined()
    const short = Object.keys(first.clusters[0])
    expect(short).not.toContain('project_id')
    const long = (await demo('GET', '/v1/clusters/detail?limit=1')).json
    expect(long.clusters[0].project_id).toBe(sandbox.openstack.accounts.projects.demo.id)
    expect(long.next).toContain('/v1/clusters/detail?')
  })

  it('are sorted by any column', async () => {
    const { as } = await cloud({ clusters: 3 })
    const names = async (query: string) =>
      (await as('demo/demo')('GET', `/v1/clusters?${query}`)).json.clusters.map((row: { name: string }) => row.name)
    expect(await names('sort_key=name&sort_dir=desc')).toEqual(['cluster3', 'cluster2', 'cluster1'])
    expect(await names('sort_key=status')).toEqual(['cluster1', 'cluster2', 'cluster3'])
  })

  it.each([
    ['limit=-1', 400, 'Limit must be positive'],
    ['limit=0', 400, 'Limit must be positive'],
    [
      'limit=abc',
      400,
      "Invalid input for field/attribute limit. Value: 'abc'. unable to convert to int. Error: invalid literal for int() with base 10: 'abc'",
    ],
    ['sort_key=nosuch', 400, 'The sort_key value "nosuch" is an invalid field for sorting'],
    ['sort_dir=up', 400, "Invalid sort direction: up. Acceptable values are 'asc' or 'desc'"],
    [
      'marker=11111111-0000-4000-8000-000000000000',
      404,
      'Cluster 11111111-0000-4000-8000-000000000000 could not be found.',
    ],
    ['nosuch=1', 400, 'Unknown argument: "nosuch"'],
  ])('refuse %s', async (query, status, detail) => {
    const { as } = await cloud()
    const reply = await as('demo/demo')('GET', `/v1/clusters?${query}`)
    expect([reply.status, errorOf(reply).detail]).toEqual([status, detail])
  })

  it('hold 5,000 clusters, never more than the server’s own limit at a time', async () => {
    const { as } = await cloud({ clusters: 5000, maxLimit: 1000 })
    const seen = new Set<string>()
    let path = '/v1/clusters?limit=100000'
    let pages = 0
    for (;;) {
      const { clusters, next } = (await as('demo/demo')('GET', path)).json
      pages++
      for (const { uuid } of clusters) seen.add(uuid)
      if (!next) break
      path = next.slice(next.indexOf('/v1'))
    }
    // the last page is full too, so that there is one more, which is empty
    expect([seen.size, pages]).toEqual([5000, 6])
  })
})
