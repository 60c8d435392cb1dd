/** Federations that are stored: no released Magnum has them, so only the sandbox can show them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { poll } from '../../../src/core/poll.ts'
import type { Federation } from '../../../src/model/federation.ts'
import { isMoving } from '../../../src/model/status.ts'
import {
  createFederation,
  deleteFederation,
  getFederation,
  listFederations,
  patchFederation,
} from '../../../src/openstack/magnum-api/federations.ts'
import { refusal } from './exchanges.ts'
import { type Caller, onRealServers, simulated, type Target } from './target.ts'

let cloud: Target
let user: Caller
let clusters: string[]

beforeAll(async () => {
  if (onRealServers) return
  cloud = await simulated({ federation: 'working', clusters: 3 })
  user = await cloud.as('user')
  const { state } = cloud.sandbox?.openstack ?? {}
  clusters = [...(state?.store.clusters.keys() ?? [])]
})
afterAll(() => cloud?.close())

const [host, second] = [() => clusters[0] ?? '', () => clusters[1] ?? '']
const body = (name: string) => ({ name, hostcluster_id: host(), properties: { 'dns-zone': 'federation.local' } })

async function stable(uuid: string): Promise<Federation> {
  const look = async () => {
    const found = await getFederation(user.service, uuid).catch(() => undefined)
    return found && !isMoving(found.status) ? found : undefined
  }
  await cloud.clock.sleep(1_000) // the old status is visible until the conductor handles it
  return poll(look, { clock: cloud.clock, timeoutMs: 60_000, what: `federation ${uuid} to settle` })
}

async function made(name: string): Promise<string> {
  const { uuid } = await createFederation(user.service, body(name))
  await stable(uuid)
  return uuid
}

const join = (value: string) => [{ op: 'add' as const, path: '/member_ids', value }]
const unjoin = (value: string) => [{ op: 'remove' as const, path: '/member_ids', value }]

describe.skipIf(onRealServers)('only the sandbox shows federations that are kept', () => {
  it('createFederation: missing at first, then CREATE_IN_PROGRESS, then CREATE_COMPLETE', async () => {
    const { uuid } = await createFederation(user.service, body('a'))
    expect(await refusal(getFederation(user.service, uuid))).toEqual([404, `Federation ${uuid} could not be found.`])
    expect(await stable(uuid)).toMatchObject({ ...body('a'), uuid, member_ids: [], status: 'CREATE_COMPLETE' })
  })

  it('getFederation: by name as by uuid, without a project', async () => {
    const uuid = await made('shown')
    const byName = await getFederation(user.service, 'shown')
    expect(byName).toEqual(await getFederation(user.service, uuid))
    expect(byName).toMatchObject({ ...body('shown'), uuid, status_reason: null })
    expect(byName).not.toHaveProperty('project_id')
  })

  it('getFederation: an ambiguous name is refused', async () => {
    await made('twice')
    await made('twice')
    expect(await refusal(getFederation(user.service, 'twice'))).toEqual([
      409,
      'Multiple federations exist with same name. Please use the federation uuid instead.',
    ])
  })

  it('listFederations: the short form has no reason and no times, the long one has', async () => {
    const uuid = await made('listed')
    const find = async (detail: boolean) => (await listFederations(user.service, {}, detail)).find(f => f.uuid === uuid)
    const [short, long] = [await find(false), await find(true)]
    expect([short && 'created_at' in short, long && 'created_at' in long]).toEqual([false, true])
    const { service } = await cloud.as('admin')
    expect(await listFederations(service, {}, false)).toEqual([]) // only the caller's own project
  })

  it('patchFederation: one member at a time, by uuid; a second join and an unjoin of a non-member are refused', async () => {
    const uuid = await made('joined')
    expect(await patchFederation(user.service, uuid, join(second()))).toEqual({ uuid })
    expect(user.last().status).toBe(202)
    expect((await stable(uuid)).member_ids).toEqual([second()])
    expect(await refusal(patchFederation(user.service, uuid, join(second())))).toEqual([
      409,
      `A cluster with UUID ${second()} is already a member of the federation joined.`,
    ])
    expect(await refusal(patchFederation(user.service, uuid, join('cluster3')))).toEqual([
      404,
      'Cluster cluster3 could not be found.',
    ])
    await patchFederation(user.service, uuid, unjoin(second()))
    expect((await stable(uuid)).member_ids).toEqual([])
    expect(await refusal(patchFederation(user.service, uuid, unjoin(second())))).toEqual([
      404,
      `Cluster ${second()} is not a member of the federation joined.`,
    ])
  })

  it('patchFederation: one of two simultaneous joins is lost, so coe sends them one by one', async () => {
    const uuid = await made('raced')
    await patchFederation(user.service, uuid, join(clusters[1] ?? ''))
    await patchFederation(user.service, uuid, join(clusters[2] ?? ''))
    expect((await stable(uuid)).member_ids).toHaveLength(1)
  })

  it('patchFederation: properties one by one; nothing else may change', async () => {
    const uuid = await made('propertied')
    await patchFederation(user.service, uuid, [{ op: 'add', path: '/properties/dns', value: 'cluster.local' }])
    expect((await stable(uuid)).properties).toEqual({ 'dns-zone': 'federation.local', dns: 'cluster.local' })
    const rename = [{ op: 'replace' as const, path: '/name', value: 'x' }]
    expect(await refusal(patchFederation(user.service, uuid, rename))).toEqual([
      400,
      'cannot change federation property(ies) name.',
    ])
  })

  it('deleteFederation: accepted with 204, visible for a while, then gone', async () => {
    const uuid = await made('deleted')
    await deleteFederation(user.service, uuid)
    expect([user.last().status, user.last().text]).toEqual([204, ''])
    expect((await getFederation(user.service, uuid)).name).toBe('deleted')
    await cloud.clock.sleep(10_000)
    expect(await refusal(getFederation(user.service, uuid))).toEqual([404, `Federation ${uuid} could not be found.`])
  })
})
