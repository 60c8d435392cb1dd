import { describe, expect, it } from 'vitest'
import { seedFederation } from '../../../src/sandbox/openstack/seed.ts'
import { cloud, errorOf } from './cloud.ts'

const zone = { 'dns-zone': 'example.com.' }

async function withClusters(options: object = {}) {
  const world = await cloud({ clusters: 3, ...options })
  const demo = world.as('demo/demo')
  const { clusters } = (await demo('GET', '/v1/clusters')).json
  const [host, one, two] = clusters.map((row: { uuid: string }) => row.uuid) as [string, string, string]
  const create = (body: object = {}) =>
    demo('POST', '/v1/federations', { name: 'fed', hostcluster_id: host, properties: zone, ...body })
  const show = async (ident: string) => demo('GET', `/v1/federations/${ident}`)
  const patch = (ident: string, ...operations: object[]) => demo('PATCH', `/v1/federations/${ident}`, operations)
  const join = (ident: string, value: string) => patch(ident, { op: 'add', path: '/member_ids', value })
  const { state, accounts } = world.sandbox.openstack
  const owner = { projectId: accounts.projects.demo.id, userId: accounts.users.demo.id }
  const seed = (values: object = {}) => {
    const row = state.store.clusters.get(host)
    if (!row) throw new Error('no host')
    return seedFederation(state, owner, row, values).uuid
  }
  return { ...world, demo, host, one, two, create, show, patch, join, seed }
}

describe('federations, as upstream', () => {
  it('are accepted, but never stored', async () => {
    const { create, show, demo, sandbox } = await withClusters()
    const reply = await create()
    expect([reply.status, Object.keys(reply.json), reply.headers.location]).toEqual([202, ['uuid'], undefined])
    sandbox.clock.advance(600_000)
    const missing = await show(reply.json.uuid)
    expect([missing.status, errorOf(missing).detail]).toEqual([
      404,
      `Federation ${reply.json.uuid} could not be found.`,
    ])
    expect((await demo('GET', '/v1/federations/detail')).json).toEqual({ federations: [] })
  })

  it('in the database are neither changed nor deleted, although every change is accepted', async () => {
    const { seed, join, show, one, demo, sandbox } = await withClusters()
    const uuid = seed()
    const before = (await show(uuid)).json
    expect((await join(uuid, one)).status).toBe(202)
    expect((await demo('DELETE', `/v1/federations/${uuid}`)).status).toBe(204)
    sandbox.clock.advance(600_000)
    expect((await show(uuid)).json).toEqual(before)
  })

  it('need no microversion', async () => {
    const { demo } = await withClusters()
    for (const version of [null, '1.1', '1.10']) {
      expect((await demo('GET', '/v1/federations', undefined, { version })).status).toBe(200)
    }
  })

  it.each([
    [{ hostcluster_id: null }, 400, 'No hostcluster specified. Please specify a hostcluster_id.'],
    [{ hostcluster_id: 'nosuch' }, 404, 'Cluster nosuch could not be found.'],
    [{ hostcluster_id: '' }, 404, 'Cluster  could not be found.'],
    [{ properties: null }, 400, 'Please specify a `properties` dict for the federation.'],
    [{ properties: {} }, 400, 'No DNS zone specified. Please specify a `dns-zone`.'],
    [
      { properties: { 'dns-zone': 5 } },
      400,
      "Invalid input for field/attribute properties. Value: '{'dns-zone': 5}'. Wrong type. Expected '<class 'str'>', got '<class 'int'>'",
    ],
    [
      { name: '1 bad' },
      400,
      "Invalid input for field/attribute name. Value: '1 bad'. Value should match the pattern ^[a-zA-Z][a-zA-Z0-9_.-]*$",
    ],
    [{ nosuch: 1 }, 400, 'Unknown attribute for argument federation: nosuch'],
    [{ links: [] }, 400, "Invalid input for field/attribute links. Value: '[]'. Cannot set read only field."],
  ])('are refused: %j', async (wrong, status, detail) => {
    const { create } = await withClusters()
    const reply = await create(wrong)
    expect([reply.status, errorOf(reply).detail]).toEqual([status, detail])
  })

  it('accept a host by name, and missing members', async () => {
    const { create } = await withClusters()
    const reply = await create({ hostcluster_id: 'cluster1', member_ids: ['11111111-0000-4000-8000-000000000000'] })
    expect(reply.status).toBe(202)
  })

  it('are limited to the own project, even for an admin', async () => {
    const { seed, as } = await withClusters()
    const uuid = seed()
    for (const who of ['alt/alt', 'admin/admin']) {
      expect((await as(who)('GET', '/v1/federations')).json).toEqual({ federations: [] })
      expect((await as(who)('GET', `/v1/federations/${uuid}`)).status).toBe(404)
    }
    expect((await as('demo2/demo')('GET', '/v1/federations')).json.federations).toHaveLength(1)
  })
})

describe('patches of a federation', () => {
  it.each([
    [[{ op: 'add', path: '/member_ids', value: 'cluster2' }], 404, 'Cluster cluster2 could not be found.'],
    [[{ op: 'add', path: '/member_ids', value: null }], 400, "'add' and 'replace' operations needs value"],
    [
      [{ op: 'replace', path: '/member_ids', value: ['x'] }],
      400,
      "Invalid input for field/attribute value. Value: '['x']'. Wrong type. Expected '(<class 'str'>, <class 'int'>)', got '<class 'list'>'",
    ],
    [
      [{ op: 'replace', path: '/properties', value: 'x' }],
      400,
      "Invalid input for field/attribute properties. Value: 'x'. Wrong type. Expected '{<class 'str'>: <class 'str'>}', got '<class 'str'>'",
    ],
    [[{ op: 'replace', path: '/name', value: 'other' }], 400, 'cannot change federation property(ies) name.'],
    [[{ op: 'replace', path: '/uuid', value: 'x' }], 400, "'/uuid' is an internal attribute and can not be updated"],
    [
      [{ op: 'add', path: 'member_ids', value: 'x' }],
      400,
      "Invalid input for field/attribute path. Value: 'member_ids'. Value should match the pattern ^(/[\\w-]+)+$",
    ],
    [[], 500, 'list index out of range'],
  ])('are refused: %j', async (operations, status, detail) => {
    const { seed, patch } = await withClusters()
    const reply = await patch(seed(), ...operations)
    expect([reply.status, errorOf(reply).detail]).toEqual([status, detail])
  })

  it('join a cluster once, and only one at a time', async () => {
    const { seed, join, patch, one, two } = await withClusters()
    const uuid = seed({ member_ids: [one] })
    const again = await join(uuid, one)
    expect([again.status, errorOf(again).detail]).toEqual([
      409,
      `A cluster with UUID ${one} is already a member of the federation fed.`,
    ])
    const add = (value: string) => ({ op: 'add', path: '/member_ids', value })
    const both = await patch(seed(), add(one), add(two))
    expect(errorOf(both).detail).toBe("The attribute /member_ids has existed, please use 'replace' operation instead.")
    const stranger = await patch(uuid, { op: 'remove', path: '/member_ids', value: two })
    expect([stranger.status, errorOf(stranger).detail]).toEqual([
      404,
      `Cluster ${two} is not a member of the federation fed.`,
    ])
  })
})

describe('federations that work', () => {
  it('are stored after a while, and complete after another', async () => {
    const { create, show, sandbox } = await withClusters({ federation: 'working', timing: { federationStore: 10_000 } })
    const { uuid } = (await create()).json
    expect((await show(uuid)).status).toBe(404)
    sandbox.clock.advance(9_000)
    expect((await show(uuid)).status).toBe(404)
    sandbox.clock.advance(1_500)
    const shown = (await show(uuid)).json
    expect(shown).toMatchObject({ uuid, name: 'fed', status: 'CREATE_IN_PROGRESS', member_ids: [], properties: zone })
    expect(Object.keys(shown)).not.toContain('project_id')
    sandbox.clock.advance(3_000)
    expect((await show('fed')).json.status).toBe('CREATE_COMPLETE')
  })

  it('join and unjoin, each visible only when it is saved', async () => {
    const { create, show, join, patch, one, two, sandbox } = await withClusters({ federation: 'working' })
    const { uuid } = (await create()).json
    sandbox.clock.advance(10_000)
    expect((await join(uuid, one)).status).toBe(202)
    expect((await show(uuid)).json).toMatchObject({ status: 'CREATE_COMPLETE', member_ids: [] })
    sandbox.clock.advance(1_000)
    expect((await show(uuid)).json).toMatchObject({ status: 'UPDATE_IN_PROGRESS', member_ids: [] })
    sandbox.clock.advance(3_000)
    expect((await show(uuid)).json).toMatchObject({ status: 'UPDATE_COMPLETE', member_ids: [one] })
    await join(uuid, two)
    sandbox.clock.advance(10_000)
    await patch(uuid, { op: 'remove', path: '/member_ids', value: one })
    sandbox.clock.advance(10_000)
    expect((await show(uuid)).json.member_ids).toEqual([two])
  })

  it('lose the first of two joins that do not wait for each other', async () => {
    const { create, show, join, one, two, sandbox } = await withClusters({ federation: 'working' })
    const { uuid } = (await create()).json
    sandbox.clock.advance(10_000)
    await join(uuid, one)
    sandbox.clock.advance(200)
    await join(uuid, two)
    sandbox.clock.advance(10_000)
    expect((await show(uuid)).json.member_ids).toEqual([two])
  })

  it('drop all members at a remove without a value', async () => {
    const { seed, show, patch, one, two, sandbox } = await withClusters({ federation: 'working' })
    const uuid = seed({ member_ids: [one, two] })
    expect((await patch(uuid, { op: 'remove', path: '/member_ids' })).status).toBe(202)
    sandbox.clock.advance(10_000)
    expect((await show(uuid)).json.member_ids).toBeNull()
  })

  it('set and unset properties one by one', async () => {
    const { seed, show, patch, sandbox } = await withClusters({ federation: 'working' })
    const uuid = seed()
    await patch(
      uuid,
      { op: 'add', path: '/properties/dns', value: 'cluster.local' },
      { op: 'remove', path: '/properties/dns-zone' },
    )
    sandbox.clock.advance(10_000)
    expect((await show(uuid)).json.properties).toEqual({ dns: 'cluster.local' })
  })

  it('are deleted after a while', async () => {
    const { seed, show, demo, sandbox } = await withClusters({ federation: 'working' })
    const uuid = seed()
    const reply = await demo('DELETE', '/v1/federations/fed')
    expect([reply.status, reply.text]).toEqual([204, ''])
    sandbox.clock.advance(1_000)
    expect((await show(uuid)).json.status).toBe('DELETE_IN_PROGRESS')
    sandbox.clock.advance(10_000)
    expect((await show(uuid)).status).toBe(404)
  })

  it('have a name that decides their fate', async () => {
    const { create, show, sandbox } = await withClusters({ federation: 'working' })
    const { uuid } = (await create({ name: 'a-fail-create' })).json
    const stuck = (await create({ name: 'a-stuck' })).json.uuid
    sandbox.clock.advance(60_000)
    expect((await show(uuid)).json.status).toBe('CREATE_FAILED')
    expect((await show(stuck)).json.status).toBe('CREATE_IN_PROGRESS')
  })
})
