/** /v1/clusters/<cluster>/nodegroups: part of the API since 1.9. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { poll } from '../../../src/core/poll.ts'
import type { NodeGroup } from '../../../src/model/cluster.ts'
import {
  createNodeGroup,
  deleteNodeGroup,
  getNodeGroup,
  listNodeGroups,
  patchNodeGroup,
} from '../../../src/openstack/magnum-api/nodegroups.ts'
import { belongings, offer } from './belongings.ts'
import { refusal } from './exchanges.ts'
import { type Caller, target } from './target.ts'

const nobody = '11111111-0000-4000-8000-000000000000'
const cloud = await target()
const ours = belongings(cloud)
let user: Caller
let cluster: string
/** Never gets an address. */
let stuck: string

beforeAll(async () => {
  if (!cloud.there) return
  user = await cloud.as('user')
  const template = await ours.template('groups')
  cluster = await ours.cluster('groups', template)
  stuck = await ours.cluster('stuck', template)
  await ours.stable(cluster)
})
afterAll(async () => {
  await ours.removeAll()
  await cloud.close()
})

const group = (name: string, values: object = {}) => ({ name, role: 'worker', node_count: 1, ...values })

/** Reads a group until it matches; undefined once it is gone. */
async function until(name: string, is: (found: NodeGroup | undefined) => boolean): Promise<NodeGroup | undefined> {
  const look = async () => {
    const all = await listNodeGroups(user.service, cluster, {})
    const found = all.find(one => one.name === name)
    return is(found) ? { found } : undefined
  }
  const what = `group ${name} to be as asked`
  return (await poll(look, { clock: cloud.clock, timeoutMs: 240_000, maxIntervalMs: 1_000, what })).found
}
const complete = (found: NodeGroup | undefined) => /_COMPLETE$/.test(found?.status ?? '')

describe.runIf(cloud.there)('createNodeGroup', () => {
  it('is accepted with 202, and returns what is known by then: not yet the status', async () => {
    const body = group('made', { min_node_count: 1, max_node_count: 4, flavor_id: offer.flavor_id, labels: { z: '1' } })
    const made = await createNodeGroup(user.service, cluster, { ...body, merge_labels: true })
    expect(user.last().status).toBe(202)
    expect(made).toMatchObject({ name: 'made', cluster_id: cluster, labels: { kube_tag: 'v1.22.1', z: '1' } })
    expect(made).not.toHaveProperty('status')
    await until('made', complete)
    expect((await getNodeGroup(user.service, cluster, made.uuid)).status).toBe('CREATE_COMPLETE')
  })

  it.each([
    [
      'a name that the cluster has',
      group('default-worker'),
      409,
      /^A node group with name default-worker already exists in the cluster ct-\w+-groups\.$/,
    ],
    [
      'the role of a master',
      group('x', { role: 'master' }),
      400,
      /^Creating master nodegroups is currently not supported\.$/,
    ],
    [
      'more nodes than its most',
      group('x', { node_count: 5, max_node_count: 2 }),
      409,
      /^max_node_count for x is invalid \(node_count \(5\) should be less or equal to max_node_count \(2\)\)\.$/,
    ],
    [
      'a field that it does not know',
      group('x', { nosuch: 1 }),
      400,
      /^Unknown attribute for argument nodegroup: nosuch$/,
    ],
  ])('is refused with %s', async (_, body, status, reason) => {
    const [said, why] = await refusal(createNodeGroup(user.service, cluster, body))
    expect(why).toMatch(reason)
    expect(said).toBe(status)
  })

  it('is refused for a cluster that is not ready, or missing', async () => {
    expect(await refusal(createNodeGroup(user.service, stuck, group('x')))).toEqual([
      409,
      'Cluster API address is not available yet',
    ])
    expect(await refusal(createNodeGroup(user.service, nobody, group('x')))).toEqual([
      404,
      `Cluster ${nobody} could not be found.`,
    ])
  })
})

describe.runIf(cloud.there)('getNodeGroup', () => {
  it('returns all fields by uuid and by name, with its bounds', async () => {
    const byName = await getNodeGroup(user.service, cluster, 'default-worker')
    expect(byName).toMatchObject({
      role: 'worker',
      is_default: true,
      node_count: 1,
      cluster_id: cluster,
      version: null,
    })
    expect(await getNodeGroup(user.service, cluster, byName.uuid)).toEqual(byName)
    expect([byName.min_node_count, byName.max_node_count]).toEqual([0, null])
  })

  it('is refused for what is not there', async () => {
    expect(await refusal(getNodeGroup(user.service, cluster, 'nosuch'))).toEqual([
      404,
      'Nodegroup nosuch could not be found.',
    ])
    expect(await refusal(getNodeGroup(user.service, nobody, 'x'))).toEqual([
      404,
      `Cluster ${nobody} could not be found.`,
    ])
  })
})

describe.runIf(cloud.there)('listNodeGroups', () => {
  it('lists the groups, on request of one role; its bounds are wrong', async () => {
    const all = await listNodeGroups(user.service, cluster, {})
    expect(all.slice(0, 2).map(({ name }) => name)).toEqual(['default-master', 'default-worker'])
    expect(all.map(({ min_node_count, max_node_count }) => [min_node_count, max_node_count])).toEqual(
      all.map(() => [0, null]),
    )
    const masters = await listNodeGroups(user.service, cluster, {}, 'master')
    expect(masters.map(({ name }) => name)).toEqual(['default-master'])
    const [second] = await listNodeGroups(user.service, cluster, { limit: 1, marker: all[0]?.uuid ?? '' })
    expect(second?.name).toBe('default-worker')
  })

  it('is refused for a missing cluster, or another project’s', async () => {
    expect(await refusal(listNodeGroups(user.service, nobody, {}))).toEqual([
      404,
      `Cluster ${nobody} could not be found.`,
    ])
    if (!cloud.has('other')) return
    const { service } = await cloud.as('other')
    expect(await refusal(listNodeGroups(service, cluster, {}))).toEqual([404, `Cluster ${cluster} could not be found.`])
  })
})

describe.runIf(cloud.there)('patchNodeGroup', () => {
  it('is accepted with 202, and returns the new bounds, which are visible a moment later', async () => {
    await createNodeGroup(user.service, cluster, group('patched', { max_node_count: 4 }))
    await until('patched', complete)
    const patch = [{ op: 'replace' as const, path: '/max_node_count', value: 6 }]
    expect(await patchNodeGroup(user.service, cluster, 'patched', patch)).toMatchObject({ max_node_count: 6 })
    expect(user.last().status).toBe(202)
    await patchNodeGroup(user.service, cluster, 'patched', [{ op: 'remove', path: '/max_node_count' }])
    const unbounded = async () =>
      (await getNodeGroup(user.service, cluster, 'patched')).max_node_count === null ? true : undefined
    await poll(unbounded, {
      clock: cloud.clock,
      timeoutMs: 240_000,
      maxIntervalMs: 1_000,
      what: 'the new bound to be seen',
    })
  })

  it('is refused for the size, for bounds that cross, and for a missing group', async () => {
    const patch = (ref: string, path: string, value: number) =>
      refusal(patchNodeGroup(user.service, cluster, ref, [{ op: 'replace', path, value }]))
    expect(await patch('default-worker', '/node_count', 2)).toEqual([
      400,
      "'/node_count' is an internal attribute and can not be updated",
    ])
    expect(await patch('default-worker', '/min_node_count', 50)).toEqual([
      409,
      'min_node_count for default-worker is invalid (min_node_count (50) should be less or equal to node_count (1)).',
    ])
    expect(await patch('nosuch', '/min_node_count', 1)).toEqual([404, 'Nodegroup nosuch could not be found.'])
  })
})

describe.runIf(cloud.there)('deleteNodeGroup', () => {
  it('is accepted with 204; later the group is gone', async () => {
    await createNodeGroup(user.service, cluster, group('deleted'))
    await until('deleted', complete)
    await deleteNodeGroup(user.service, cluster, 'deleted')
    expect([user.last().status, user.last().text]).toEqual([204, ''])
    expect(await until('deleted', found => found === undefined)).toBeUndefined()
  })

  it('is refused for the default groups, and for a missing one', async () => {
    expect(await refusal(deleteNodeGroup(user.service, cluster, 'default-worker'))).toEqual([
      400,
      'Deleting a default nodegroup is not supported.',
    ])
    expect(await refusal(deleteNodeGroup(user.service, cluster, 'nosuch'))).toEqual([
      404,
      'Nodegroup nosuch could not be found.',
    ])
  })
})
