/** /v1/clusters: the behaviour on which coe relies to create, read, change and delete clusters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from '../../../src/model/cluster.ts'
import {
  createCluster,
  deleteCluster,
  getCluster,
  listClusters,
  patchCluster,
  resizeCluster,
  upgradeCluster,
} from '../../../src/openstack/magnum-api/clusters.ts'
import { createQuota, deleteQuota } from '../../../src/openstack/magnum-api/quotas.ts'
import { belongings } from './belongings.ts'
import { refusal } from './exchanges.ts'
import { type Caller, target } from './target.ts'

const nobody = '11111111-0000-4000-8000-000000000000'
const cloud = await target()
const ours = belongings(cloud)
let user: Caller
let template: string
let newer: string
/** A complete cluster, for all tests that only read or are refused. */
let still: string
/** Each is for one test. Created together, because real ones take a while. */
let made: Record<'patched' | 'resized' | 'upgraded' | 'deleted' | 'failed' | 'rejected', string>

beforeAll(async () => {
  if (!cloud.there) return
  user = await cloud.as('user')
  template = await ours.template('old')
  newer = await ours.template('new', { labels: { kube_tag: 'v1.23.3' } })
  still = await ours.cluster('still', template)
  made = {
    patched: await ours.cluster('patched', template),
    resized: await ours.cluster('resized', template),
    upgraded: await ours.cluster('upgraded', template),
    deleted: await ours.cluster('deleted', template),
    failed: await ours.cluster('fail-create', template),
    rejected: await ours.cluster('reject-create', template),
  }
  for (const uuid of [still, ...Object.values(made)]) await ours.stable(uuid)
})
afterAll(async () => {
  await ours.removeAll()
  await cloud.close()
})

describe.runIf(cloud.there)('createCluster', () => {
  it('is accepted with 202 and a uuid; a moment later it exists, in CREATE_IN_PROGRESS', async () => {
    const body = { name: ours.name('stuck'), cluster_template_id: template, node_count: 2, labels: { x: 'y' } }
    const { uuid } = await createCluster(user.service, body)
    expect(user.last().status).toBe(202)
    expect(user.last().headers['x-openstack-request-id']).toMatch(/^req-/)
    const seen = await ours.until(uuid, 'there', () => true)
    expect(seen).toMatchObject({ uuid, node_count: 2, status: 'CREATE_IN_PROGRESS', api_address: null })
    await deleteCluster(user.service, uuid)
  })

  it('ends in CREATE_COMPLETE with an address, without reason and faults', async () => {
    const { status, api_address, status_reason, faults } = await getCluster(user.service, still)
    expect([status, typeof api_address, status_reason, faults]).toEqual(['CREATE_COMPLETE', 'string', null, undefined])
  })

  it('accepts a name twice: coe must refuse it', async () => {
    const name = 'twice-stuck'
    const uuids = [await ours.cluster(name, template), await ours.cluster(name, template)]
    expect(new Set(uuids).size).toBe(2)
    expect(await refusal(getCluster(user.service, ours.name(name)))).toEqual([
      409,
      'Multiple clusters exist with same name. Please use the cluster uuid instead.',
    ])
    expect(await refusal(deleteCluster(user.service, ours.name(name)))).toEqual([
      409,
      'Multiple clusters exist with same name. Please use the cluster uuid instead.',
    ])
    for (const uuid of uuids) await deleteCluster(user.service, uuid) // quotas are small
  })

  it('replaces the labels of the template or merges them, and shows the difference', async () => {
    const labels = async (what: string, values: object) => {
      const uuid = await ours.cluster(`${what}-stuck`, template, values)
      const cluster = await getCluster(user.service, uuid)
      await deleteCluster(user.service, uuid)
      return cluster
    }
    expect(await labels('own', { labels: { x: 'y' } })).toMatchObject({
      labels: { x: 'y' },
      labels_added: { x: 'y' },
      labels_skipped: { kube_tag: 'v1.22.1' },
    })
    // JSON.parse makes this key an own property, too
    const odd = JSON.parse('{"__proto__": "x"}') as object
    expect(Object.entries((await labels('odd', { labels: odd })).labels ?? {})).toEqual([['__proto__', 'x']])
    expect(await labels('both', { labels: { kube_tag: 'v9' }, merge_labels: true })).toMatchObject({
      labels: { kube_tag: 'v9' },
      labels_overridden: { kube_tag: 'v1.22.1' },
    })
  })

  it('that fails ends in CREATE_FAILED with a reason, and a fault for each group', async () => {
    const failed = await getCluster(user.service, made.failed)
    expect(failed).toMatchObject({
      status: 'CREATE_FAILED',
      status_reason: 'default-master failed, default-worker failed',
      api_address: null,
    })
    expect(Object.keys(failed.faults ?? {}).sort()).toEqual(['default-master', 'default-worker'])
  })

  it('that the conductor refuses is accepted anyway, and has a reason without faults', async () => {
    const failed = await getCluster(user.service, made.rejected)
    expect([failed.status, failed.faults, failed.stack_id]).toEqual(['CREATE_FAILED', {}, null])
    expect(failed.status_reason).toMatch(/^ERROR: /)
  })

  it.runIf(cloud.has('delegate'))(
    'by an application credential is accepted, and fails for want of a trust',
    async () => {
      const uuid = await ours.cluster('delegated', template, {}, 'delegate')
      const failed = await ours.stable(uuid)
      expect([failed.status, failed.status_reason]).toEqual([
        'CREATE_FAILED',
        `Failed to create trustee or trust for Cluster: ${uuid}`,
      ])
      await deleteCluster(user.service, uuid)
    },
  )

  it.each([
    [
      'no template',
      {},
      400,
      "Invalid input for field/attribute cluster_template_id. Value: 'None'. Mandatory field missing.",
    ],
    ['a key pair that is not there', { keypair: 'nokey' }, 404, 'Unable to find keypair nokey.'],
    ['a flavor that is not there', { flavor_id: 'huge.one' }, 400, 'Unable to find flavor huge.one.'],
    ['a field that it does not know', { nosuch: 1 }, 400, 'Unknown attribute for argument cluster: nosuch'],
    [
      'fewer nodes than none',
      { node_count: -1 },
      400,
      "Invalid input for field/attribute node_count. Value: '-1'. Value should be greater or equal to 0",
    ],
    [
      'a name that does not begin with a letter',
      { name: '9 bad' },
      400,
      "Invalid input for field/attribute name. Value: '9 bad'. Value should match the pattern ^[a-zA-Z][a-zA-Z0-9_.-]*$",
    ],
  ])('is refused with %s', async (what, values, status, reason) => {
    const body = what === 'no template' ? {} : { cluster_template_id: template }
    expect(await refusal(createCluster(user.service, { name: ours.name('no'), ...body, ...values }))).toEqual([
      status,
      reason,
    ])
  })

  it('is refused with a missing template: 400 at the version that every server supports', async () => {
    const [status, reason] = await refusal(createCluster(user.service, { cluster_template_id: 'nosuch' }))
    expect([[400, 404].includes(status ?? 0), reason]).toEqual([true, 'ClusterTemplate nosuch could not be found.'])
  })

  it.runIf(cloud.has('admin') && cloud.has('other'))('is refused beyond the quota, before it is made', async () => {
    const [admin, other] = [await cloud.as('admin'), await cloud.as('other')]
    const project_id = (await other.session.identity()).project?.id ?? ''
    const theirs = await ours.template('theirs', {}, 'other')
    await createQuota(admin.service, { project_id, resource: 'Cluster', hard_limit: 0 })
    try {
      expect(await refusal(createCluster(other.service, { cluster_template_id: theirs }))).toEqual([
        403,
        'Resource limit exceeded: You have reached the maximum clusters per project, 0. You may delete a cluster to make room for a new one.',
      ])
    } finally {
      await deleteQuota(admin.service, project_id, 'Cluster')
    }
  })
})

describe.runIf(cloud.there)('getCluster', () => {
  it('returns all fields by uuid and by name, with real lists, objects and nulls', async () => {
    const byUuid = await getCluster(user.service, still)
    expect(byUuid).toEqual(await getCluster(user.service, ours.name('still')))
    expect(byUuid).toMatchObject({
      uuid: still,
      cluster_template_id: template,
      status: 'CREATE_COMPLETE',
      status_reason: null,
      master_count: 1,
      labels: { kube_tag: 'v1.22.1' },
      labels_added: {},
      project_id: (await user.session.identity()).project?.id,
      user_id: (await user.session.identity()).user?.id,
    })
    expect(byUuid.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/)
    expect(byUuid.node_addresses).toHaveLength(1)
    expect(byUuid).not.toHaveProperty('faults')
  })

  it('is refused for what is not there', async () => {
    for (const ref of [ours.name('nosuch'), nobody]) {
      expect(await refusal(getCluster(user.service, ref))).toEqual([404, `Cluster ${ref} could not be found.`])
    }
  })

  it.runIf(cloud.has('other'))('is refused to another project as if it were not there', async () => {
    const { service } = await cloud.as('other')
    expect(await refusal(getCluster(service, still))).toEqual([404, `Cluster ${still} could not be found.`])
  })

  it.runIf(cloud.has('admin') && cloud.has('colleague'))('answers colleagues and administrators', async () => {
    for (const who of ['admin', 'colleague'] as const) {
      expect((await getCluster((await cloud.as(who)).service, still)).uuid, who).toBe(still)
    }
  })
})

describe.runIf(cloud.there)('listClusters', () => {
  it('has a short form without project, address and faults, and a long one', async () => {
    const find = async (detail: boolean) =>
      (await listClusters(user.service, {}, detail)).find(({ uuid }) => uuid === still)
    const [short, long] = [await find(false), await find(true)]
    expect(short).toMatchObject({
      name: ours.name('still'),
      status: 'CREATE_COMPLETE',
      keypair: 'testkey',
      node_count: 1,
    })
    for (const field of ['project_id', 'api_address', 'created_at', 'status_reason']) {
      expect([field in (short ?? {}), field in (long ?? {})], field).toEqual([false, true])
    }
    expect(long).not.toHaveProperty('faults')
  })

  it('comes in pages: the link to the next one names the last item', async () => {
    const [first] = await listClusters(user.service, { limit: 1 }, false)
    expect(JSON.parse(user.last().text).next).toMatch(new RegExp(`limit=1&marker=${first?.uuid}$`))
    const all = await listClusters(user.service, {}, false)
    const marker = first?.uuid ?? ''
    const [second] = await listClusters(user.service, { limit: 1, marker }, false)
    expect(all.map(({ uuid }) => uuid).indexOf(second?.uuid ?? '')).toBe(1)
  })

  it('is sorted on request', async () => {
    const names = (await listClusters(user.service, { sortKey: 'name', sortDir: 'desc' }, false)).map(c => c.name)
    expect(names).toEqual([...names].sort().reverse())
    expect(names.length).toBeGreaterThan(1)
  })

  it.each([
    [{ limit: -1 }, 400, 'Limit must be positive'],
    [{ sortKey: 'nosuch' }, 400, 'The sort_key value "nosuch" is an invalid field for sorting'],
    [{ marker: nobody }, 404, `Cluster ${nobody} could not be found.`],
  ])('is refused with %j', async (page, status, reason) => {
    expect(await refusal(listClusters(user.service, page, false))).toEqual([status, reason])
  })

  it.runIf(cloud.has('other') && cloud.has('admin'))(
    'shows a project its own, and an administrator those of all projects',
    async () => {
      const sees = async (who: 'other' | 'admin') =>
        (await listClusters((await cloud.as(who)).service, {}, false)).some(({ uuid }) => uuid === still)
      expect([await sees('other'), await sees('admin')]).toEqual([false, true])
    },
  )
})

describe.runIf(cloud.there)('patchCluster', () => {
  const count = (value: number) => [{ op: 'replace' as const, path: '/node_count', value }]

  it('is accepted with 202; the old status may be visible for a while, then the new one, then the result', async () => {
    const uuid = made.patched
    expect(await patchCluster(user.service, uuid, count(2), false)).toEqual({ uuid })
    expect(user.last().status).toBe(202)
    expect(['CREATE_COMPLETE', 'UPDATE_IN_PROGRESS']).toContain((await getCluster(user.service, uuid)).status)
    const after = await ours.until(uuid, 'UPDATE_COMPLETE', ({ status }) => status === 'UPDATE_COMPLETE')
    expect([after.node_count, after.node_addresses?.length]).toEqual([2, 2])
    expect(after.updated_at).not.toBeNull()
    expect(await patchCluster(user.service, uuid, count(2), true)).toEqual({ uuid }) // no change; with rollback
  })

  it('is accepted and dropped while the cluster is not ready', async () => {
    const uuid = await ours.cluster('b-stuck', template)
    expect(await patchCluster(user.service, uuid, count(3), false)).toEqual({ uuid })
    expect((await getCluster(user.service, uuid)).status).toBe('CREATE_IN_PROGRESS')
    await deleteCluster(user.service, uuid)
  })

  it('is refused for anything but the size and the health', async () => {
    expect(
      await refusal(patchCluster(user.service, still, [{ op: 'replace', path: '/name', value: 'x' }], false)),
    ).toEqual([400, 'cannot change cluster property(ies) name.'])
  })

  it('is refused for a negative size, and for a missing cluster', async () => {
    expect(await refusal(patchCluster(user.service, still, count(-1), false))).toEqual([
      400,
      "Invalid input for field/attribute node_count. Value: '-1'. Value should be greater or equal to 0",
    ])
    expect(await refusal(patchCluster(user.service, nobody, count(1), false))).toEqual([
      404,
      `Cluster ${nobody} could not be found.`,
    ])
  })
})

describe.runIf(cloud.there)('resizeCluster', () => {
  it('is accepted with 202, for the default group and for a named one', async () => {
    const uuid = made.resized
    expect(await resizeCluster(user.service, uuid, { node_count: 2 })).toEqual({ uuid })
    expect(user.last().status).toBe(202)
    await ours.until(uuid, 'UPDATE_COMPLETE', c => c.status === 'UPDATE_COMPLETE' && c.node_count === 2)
    expect(await resizeCluster(user.service, uuid, { node_count: 0, nodegroup: 'default-worker' })).toEqual({ uuid })
    const isEmpty = (c: Cluster) => c.status === 'UPDATE_COMPLETE' && c.node_addresses?.length === 0
    expect((await ours.until(uuid, 'empty', isEmpty)).node_count).toBe(0)
  })

  it('of a failed cluster is accepted without effect', async () => {
    await resizeCluster(user.service, made.failed, { node_count: 2 })
    expect(user.last().status).toBe(202)
    expect((await getCluster(user.service, made.failed)).status).toBe('CREATE_FAILED')
  })

  it.each([
    [{}, 400, "Invalid input for field/attribute node_count. Value: 'None'. Mandatory field missing."],
    [{ node_count: 2, nodegroup: 'default-master' }, 400, 'Resizing a master nodegroup is not supported.'],
    [{ node_count: 2, nodegroup: 'nosuch' }, 404, 'Nodegroup nosuch could not be found.'],
  ])('is refused with %j', async (body, status, reason) => {
    expect(await refusal(resizeCluster(user.service, still, body))).toEqual([status, reason])
  })

  it('is refused for what is not there', async () => {
    expect(await refusal(resizeCluster(user.service, nobody, { node_count: 2 }))).toEqual([
      404,
      `Cluster ${nobody} could not be found.`,
    ])
  })
})

describe.runIf(cloud.there)('upgradeCluster', () => {
  it('is accepted with 202; a downgrade is refused at once, and marks the cluster as failed', async () => {
    const uuid = made.upgraded
    const to = (cluster_template: string) => upgradeCluster(user.service, uuid, { cluster_template, max_batch_size: 1 })
    expect(await to(newer)).toEqual({ uuid })
    expect(user.last().status).toBe(202)
    const after = await ours.until(uuid, 'upgraded', c => c.status === 'UPDATE_COMPLETE')
    expect([after.cluster_template_id, after.labels]).toEqual([newer, { kube_tag: 'v1.23.3' }])
    expect(await refusal(to(template))).toEqual([400, 'Received invalid tag for kube_tag.'])
    expect(await getCluster(user.service, uuid)).toMatchObject({
      status: 'UPDATE_FAILED',
      faults: { 'default-worker': 'Received invalid tag for kube_tag.' },
    })
    expect(await refusal(to(newer))).toEqual([
      400,
      'Upgrading a cluster when status is "UPDATE_FAILED" is not supported.',
    ])
  })

  it('is refused with an invalid template, batch or cluster', async () => {
    const upgrade = (ref: string, body: object) => refusal(upgradeCluster(user.service, ref, { ...body }))
    expect(await upgrade(still, { cluster_template: 'nosuch' })).toEqual([
      404,
      'ClusterTemplate nosuch could not be found.',
    ])
    expect((await upgrade(still, { cluster_template: newer, max_batch_size: 0 }))[1]).toContain(
      'Value should be greater or equal to 1',
    )
    expect(await upgrade(nobody, { cluster_template: newer })).toEqual([404, `Cluster ${nobody} could not be found.`])
  })
})

describe.runIf(cloud.there)('deleteCluster', () => {
  it('is accepted with 204 and no body, twice too; then the cluster is gone', async () => {
    const uuid = made.deleted
    await deleteCluster(user.service, uuid)
    expect([user.last().status, user.last().text]).toEqual([204, ''])
    const seen = await ours.until(uuid, 'seen', () => true).catch(() => undefined)
    expect([undefined, 'CREATE_COMPLETE', 'DELETE_IN_PROGRESS']).toContain(seen?.status)
    await deleteCluster(user.service, uuid)
    await ours.gone(uuid)
    expect(await refusal(deleteCluster(user.service, uuid))).toEqual([404, `Cluster ${uuid} could not be found.`])
  })

  it.runIf(cloud.has('other'))('is refused to another project as if it were not there', async () => {
    const { service } = await cloud.as('other')
    expect(await refusal(deleteCluster(service, still))).toEqual([404, `Cluster ${still} could not be found.`])
  })
})
