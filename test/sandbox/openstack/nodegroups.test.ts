import { describe, expect, it } from 'vitest'
import { type Cloud, cloud, errorOf } from './cloud.ts'

async function withCluster(name = 'c1') {
  const world: Cloud = await cloud()
  const uuid = await world.cluster(name, { cluster_template_id: await world.template(), labels: { a: 'b' } })
  world.sandbox.clock.advance(60_000)
  const ng = (method: string, rest = '', body?: object, version = '1.10') =>
    world.as('demo/demo')(method, `/v1/clusters/${uuid}/nodegroups${rest}`, body, { version })
  const ng1 = { name: 'ng1', node_count: 2, min_node_count: 1, max_node_count: 4, flavor_id: 'm1.medium' }
  return { world, uuid, ng, ng1 }
}

describe('node groups', () => {
  it('exist from the start: the masters and the workers', async () => {
    const { ng } = await withCluster()
    const { nodegroups } = (await ng('GET')).json
    expect(nodegroups.map((group: { name: string; role: string }) => [group.name, group.role])).toEqual([
      ['default-master', 'master'],
      ['default-worker', 'worker'],
    ])
    expect((await ng('GET', '/?role=worker')).json.nodegroups).toHaveLength(1)
  })

  it('are created; the answer lacks what is not known yet, and the list has wrong bounds', async () => {
    const { ng, ng1, world, uuid } = await withCluster()
    const reply = await ng('POST', '/', { ...ng1, labels: { z: '1' }, merge_labels: true })
    expect(reply.status).toBe(202)
    expect(reply.json).toMatchObject({
      name: 'ng1',
      cluster_id: uuid,
      labels: { a: 'b', z: '1' },
      labels_added: { z: '1' },
    })
    expect(Object.keys(reply.json)).not.toContain('status')
    world.sandbox.clock.advance(10_000)
    const shown = (await ng('GET', '/ng1')).json
    expect(shown).toMatchObject({ status: 'CREATE_COMPLETE', is_default: false, min_node_count: 1, max_node_count: 4 })
    expect(shown.stack_id).toMatch(/-/)
    const row = (await ng('GET')).json.nodegroups[2]
    expect(row).toMatchObject({ name: 'ng1', min_node_count: 0, max_node_count: null })
    expect((await world.as('demo/demo')('GET', `/v1/clusters/${uuid}`)).json.node_count).toBe(3)
  })

  it.each([
    [{ name: 'default-worker' }, 409, 'A node group with name default-worker already exists in the cluster c1.'],
    [{ name: 'm', role: 'master' }, 400, 'Creating master nodegroups is currently not supported.'],
    [{ node_count: 1 }, 500, "Field `name' cannot be None"],
    [
      { name: 'b', node_count: 5, max_node_count: 2 },
      409,
      'max_node_count for b is invalid (node_count (5) should be less or equal to max_node_count (2)).',
    ],
  ])('are refused: %j', async (body, status, detail) => {
    const { ng } = await withCluster()
    const reply = await ng('POST', '/', body)
    expect([reply.status, errorOf(reply).detail]).toEqual([status, detail])
  })

  it('need an address of the cluster', async () => {
    const { ng, ng1 } = await withCluster('a-stuck')
    const reply = await ng('POST', '/', ng1)
    expect([reply.status, errorOf(reply).detail]).toEqual([409, 'Cluster API address is not available yet'])
  })

  it('change their bounds, and nothing else', async () => {
    const { ng, ng1, world } = await withCluster()
    await ng('POST', '/', ng1)
    world.sandbox.clock.advance(10_000)
    const patch = (operation: object) => ng('PATCH', '/ng1', [operation])
    const wider = await patch({ op: 'replace', path: '/max_node_count', value: 6 })
    expect([wider.status, wider.json.max_node_count]).toEqual([202, 6])
    const open = await patch({ op: 'remove', path: '/max_node_count' })
    expect([open.status, open.json.max_node_count]).toEqual([202, null])
    const over = await patch({ op: 'replace', path: '/min_node_count', value: 50 })
    expect([over.status, errorOf(over).detail]).toEqual([
      409,
      'min_node_count for ng1 is invalid (min_node_count (50) should be less or equal to node_count (2)).',
    ])
    const count = await patch({ op: 'replace', path: '/node_count', value: 3 })
    expect(errorOf(count).detail).toBe("'/node_count' is an internal attribute and can not be updated")
  })

  it('are resized within their bounds', async () => {
    const { ng, ng1, world, uuid } = await withCluster()
    await ng('POST', '/', ng1)
    world.sandbox.clock.advance(10_000)
    const resize = (node_count: number) =>
      world.as('demo/demo')('POST', `/v1/clusters/${uuid}/actions/resize`, { node_count, nodegroup: 'ng1' })
    expect(errorOf(await resize(9)).detail).toBe(
      'Resizing ng1 outside the allowed range: min_node_count = 1, max_node_count = 4',
    )
    expect((await resize(4)).status).toBe(202)
    world.sandbox.clock.advance(10_000)
    expect((await ng('GET', '/ng1')).json.node_count).toBe(4)
  })

  it('are deleted, except for the default ones', async () => {
    const { ng, ng1, world } = await withCluster()
    await ng('POST', '/', ng1)
    world.sandbox.clock.advance(10_000)
    expect(errorOf(await ng('DELETE', '/default-worker')).detail).toBe('Deleting a default nodegroup is not supported.')
    expect((await ng('DELETE', '/ng1')).status).toBe(204)
    expect((await ng('GET', '/ng1')).json.status).toBe('DELETE_IN_PROGRESS')
    world.sandbox.clock.advance(10_000)
    expect(errorOf(await ng('GET', '/ng1')).detail).toBe('Nodegroup ng1 could not be found.')
  })

  it('need 1.9', async () => {
    const { ng } = await withCluster()
    const reply = await ng('GET', '', undefined, '1.8')
    expect([reply.status, errorOf(reply).code, errorOf(reply).title]).toEqual([406, '', 'Not Acceptable'])
    expect(errorOf(reply).detail).toMatch(/^Version 1\.8 was requested but the requested API \w+ is not supported/)
  })
})
