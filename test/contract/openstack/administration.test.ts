/** Quotas, counts, Magnum's own processes, and credentials, for administrators. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateCredential } from '../../../src/openstack/magnum-api/credentials.ts'
import {
  createQuota,
  deleteQuota,
  getQuota,
  listQuotas,
  updateQuota,
} from '../../../src/openstack/magnum-api/quotas.ts'
import { listServices } from '../../../src/openstack/magnum-api/services.ts'
import { getStats } from '../../../src/openstack/magnum-api/stats.ts'
import { belongings } from './belongings.ts'
import { refusal, refusalError } from './exchanges.ts'
import { type Caller, target } from './target.ts'

const cloud = await target()
const ours = belongings(cloud)
const administered = cloud.there && cloud.has('admin') && cloud.has('other')
let user: Caller
let admin: Caller
let own: string
/** The project whose quota is created and deleted. */
let theirs: string
const resource = 'Cluster'

beforeAll(async () => {
  if (!cloud.there) return
  user = await cloud.as('user')
  own = (await user.session.identity()).project?.id ?? ''
  if (!administered) return
  admin = await cloud.as('admin')
  theirs = (await (await cloud.as('other')).session.identity()).project?.id ?? ''
  await refusalOrNothing(deleteQuota(admin.service, theirs, resource))
})
afterAll(async () => {
  if (administered) await refusalOrNothing(deleteQuota(admin.service, theirs, resource))
  await ours.removeAll()
  await cloud.close()
})

const refusalOrNothing = (request: Promise<unknown>) => request.catch(() => undefined)

describe.runIf(administered)('createQuota', () => {
  it('returns 201 with the quota; a second one for the project is refused', async () => {
    const body = { project_id: theirs, resource, hard_limit: 30 }
    const made = await createQuota(admin.service, body)
    expect(admin.last().status).toBe(201)
    expect(made).toMatchObject({ ...body, updated_at: null })
    expect(typeof made.id).toBe('number')
    expect(await refusal(createQuota(admin.service, body))).toEqual([
      409,
      `Quota for project ${theirs} already exists for resource Cluster.`,
    ])
    await deleteQuota(admin.service, theirs, resource)
  })

  it('is refused for other resources, missing projects, negative limits, and to members', async () => {
    const create = (caller: Caller, values: object) =>
      refusal(createQuota(caller.service, { project_id: theirs, resource, hard_limit: 3, ...values }))
    expect(await create(admin, { resource: 'Nodes' })).toEqual([
      400,
      "Invalid input for field/attribute resource. Value: 'Nodes'. Value should be one of: Cluster",
    ])
    expect(await create(admin, { project_id: 'nosuch' })).toEqual([404, 'The project_id nosuch could not be found.'])
    expect(await create(admin, { hard_limit: -2 })).toEqual([
      400,
      "Invalid input for field/attribute hard_limit. Value: '-2'. Value should be greater or equal to 0",
    ])
    expect(await create(user, {})).toEqual([403, "Policy doesn't allow quota:create to be performed."])
  })
})

describe.runIf(administered)('getQuota', () => {
  it('is never missing: a project without its own has the default, without an id', async () => {
    const { hard_limit, id, ...rest } = await getQuota(admin.service, theirs, resource)
    expect([typeof hard_limit, id, rest]).toEqual(['number', undefined, { project_id: theirs, resource }])
    expect((await getQuota(user.service, own, resource)).project_id).toBe(own)
  })

  it('of another project is refused to members', async () => {
    expect(await refusal(getQuota(user.service, theirs, resource))).toEqual([403, 'Not authorized.'])
  })
})

describe.runIf(administered)('listQuotas', () => {
  it('shows an administrator all quotas on request', async () => {
    await createQuota(admin.service, { project_id: theirs, resource, hard_limit: 30 })
    const has = async (all: boolean) =>
      (await listQuotas(admin.service, {}, all)).some(({ project_id }) => project_id === theirs)
    expect([await has(true), await has(false)]).toEqual([true, false])
    await deleteQuota(admin.service, theirs, resource)
  })

  it('is refused to members', async () => {
    expect(await refusal(listQuotas(user.service, {}, false))).toEqual([
      403,
      "Policy doesn't allow quota:get_all to be performed.",
    ])
  })
})

describe.runIf(administered)('updateQuota', () => {
  it('answers 202 with the new limit', async () => {
    await createQuota(admin.service, { project_id: theirs, resource, hard_limit: 30 })
    expect(await updateQuota(admin.service, { project_id: theirs, resource, hard_limit: 31 })).toMatchObject({
      hard_limit: 31,
    })
    expect(admin.last().status).toBe(202)
    await deleteQuota(admin.service, theirs, resource)
  })

  it('is refused without a quota, and to members', async () => {
    const body = { project_id: theirs, resource, hard_limit: 3 }
    expect(await refusal(updateQuota(admin.service, body))).toEqual([
      404,
      `Quota could not be found: project_id ${theirs} resource Cluster.`,
    ])
    expect(await refusal(updateQuota(user.service, body))).toEqual([
      403,
      "Policy doesn't allow quota:update to be performed.",
    ])
  })
})

describe.runIf(administered)('deleteQuota', () => {
  it('returns 204 without a body; a second deletion is refused', async () => {
    await createQuota(admin.service, { project_id: theirs, resource, hard_limit: 30 })
    await deleteQuota(admin.service, theirs, resource)
    expect([admin.last().status, admin.last().text]).toEqual([204, ''])
    expect(await refusal(deleteQuota(admin.service, theirs, resource))).toEqual([
      404,
      `Quota could not be found: project_id ${theirs} resource Cluster.`,
    ])
  })
})

describe.runIf(administered)('getStats', () => {
  it('counts the clusters and nodes of a project, or of all for an administrator who names none', async () => {
    await ours.cluster('stuck', await ours.template('counted'), { node_count: 3 })
    const [mine, named, all] = [
      await getStats(user.service),
      await getStats(user.service, own),
      await getStats(admin.service),
    ]
    expect(mine.clusters).toBeGreaterThan(0)
    expect(mine.nodes).toBeGreaterThan(3)
    expect(Object.keys(named).sort()).toEqual(['clusters', 'nodes'])
    expect(all.clusters).toBeGreaterThanOrEqual(named.clusters)
  })

  it('of another project is refused to members', async () => {
    expect(await refusal(getStats(user.service, theirs))).toEqual([403, 'Not authorized.'])
  })
})

describe.runIf(administered)('listServices', () => {
  it('shows an administrator the conductors', async () => {
    const [conductor] = await listServices(admin.service)
    expect(conductor).toMatchObject({ binary: 'magnum-conductor', state: 'up', disabled: false, disabled_reason: null })
    expect(conductor?.created_at).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  it('is refused to members', async () => {
    expect(await refusal(listServices(user.service))).toEqual([
      403,
      "Policy doesn't allow magnum-service:get_all to be performed.",
    ])
  })
})

describe.runIf(cloud.there)('rotateCredential on an older server', () => {
  it("is refused with the server's versions: nothing is rotated by mistake", async () => {
    const error = await refusalError(rotateCredential(user.service, 'any'))
    expect([error.details.status, error.details.max_version]).toEqual([406, '1.10'])
    expect(error.message).toMatch(
      /^the rotation of credentials needs API version 1\.12, but this server supports 1\.1 to 1\.10/,
    )
    expect(error.hint).toBe('this needs Magnum of OpenStack 2025.2 or newer')
  })
})
