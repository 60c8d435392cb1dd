/** /v1/federations in every real Magnum: all requests are accepted, and nothing is stored. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createFederation,
  deleteFederation,
  getFederation,
  listFederations,
  type NewFederation,
  patchFederation,
} from '../../../src/openstack/magnum-api/federations.ts'
import { belongings } from './belongings.ts'
import { refusal } from './exchanges.ts'
import { type Caller, target } from './target.ts'

const nobody = '11111111-0000-4000-8000-000000000000'
const cloud = await target()
const ours = belongings(cloud)
let user: Caller
let host: string

beforeAll(async () => {
  if (!cloud.there) return
  user = await cloud.as('user')
  host = await ours.cluster('stuck', await ours.template('host'))
})
afterAll(async () => {
  await ours.removeAll()
  await cloud.close()
})

const properties = { 'dns-zone': 'federation.local' }

describe.runIf(cloud.there)('createFederation', () => {
  it('is accepted with 202 and a uuid, twice under one name, but nothing is stored', async () => {
    const body = { name: ours.name('fed'), hostcluster_id: host, properties }
    const { uuid } = await createFederation(user.service, body)
    expect(user.last().status).toBe(202)
    const again = await createFederation(user.service, body)
    expect(again.uuid).not.toBe(uuid)
    expect(await refusal(getFederation(user.service, uuid))).toEqual([404, `Federation ${uuid} could not be found.`])
    expect((await listFederations(user.service, {}, false)).filter(f => f.name === body.name)).toEqual([])
  })

  it.each([
    ['no host', { hostcluster_id: undefined }, 400, 'No hostcluster specified. Please specify a hostcluster_id.'],
    ['a host that is not there', { hostcluster_id: nobody }, 404, `Cluster ${nobody} could not be found.`],
    ['no properties', { properties: undefined }, 400, 'Please specify a `properties` dict for the federation.'],
    ['no dns-zone', { properties: { dns: 'x' } }, 400, 'No DNS zone specified. Please specify a `dns-zone`.'],
    [
      'a name that does not begin with a letter',
      { name: '1 bad' },
      400,
      "Invalid input for field/attribute name. Value: '1 bad'. Value should match the pattern ^[a-zA-Z][a-zA-Z0-9_.-]*$",
    ],
  ])('is refused with %s', async (_, values, status, reason) => {
    const body = { name: ours.name('fed'), hostcluster_id: host, properties, ...values }
    expect(await refusal(createFederation(user.service, body as NewFederation))).toEqual([status, reason])
  })

  it.runIf(cloud.has('other') && cloud.has('admin'))(
    'is refused to other projects, to administrators too',
    async () => {
      for (const who of ['other', 'admin'] as const) {
        const { service } = await cloud.as(who)
        expect(await refusal(createFederation(service, { name: 'x', hostcluster_id: host, properties })), who).toEqual([
          404,
          `Cluster ${host} could not be found.`,
        ])
      }
    },
  )
})

describe.runIf(cloud.there)('listFederations', () => {
  it('returns a list, short and long, at every microversion', async () => {
    expect(await listFederations(user.service, {}, false)).toEqual([])
    expect(await listFederations(user.service, {}, true)).toEqual([])
    const newest = await cloud.open('user', { apiVersion: 'latest' })
    expect(await listFederations(newest.service, { limit: 2 }, true)).toEqual([])
  })

  it('is refused with an invalid page', async () => {
    expect(await refusal(listFederations(user.service, { limit: -1 }, false))).toEqual([400, 'Limit must be positive'])
    expect(await refusal(listFederations(user.service, { marker: nobody }, false))).toEqual([
      404,
      `Federation ${nobody} could not be found.`,
    ])
  })
})

describe.runIf(cloud.there)('getFederation where nothing is kept', () => {
  it('is refused by name and by uuid', async () => {
    for (const ref of [nobody, 'nosuch', 'bad name!']) {
      expect(await refusal(getFederation(user.service, ref))).toEqual([404, `Federation ${ref} could not be found.`])
    }
  })
})

describe.runIf(cloud.there)('patchFederation where nothing is kept', () => {
  it('is refused, with and without rollback', async () => {
    const join = [{ op: 'add' as const, path: '/member_ids', value: host }]
    for (const rollback of [false, true]) {
      expect(await refusal(patchFederation(user.service, nobody, join, rollback))).toEqual([
        404,
        `Federation ${nobody} could not be found.`,
      ])
    }
  })
})

describe.runIf(cloud.there)('deleteFederation where nothing is kept', () => {
  it('is refused', async () => {
    expect(await refusal(deleteFederation(user.service, nobody))).toEqual([
      404,
      `Federation ${nobody} could not be found.`,
    ])
  })
})
