/** Magnum's front end: authentication, microversions, and the formats of its refusals. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listClusters, resizeCluster, upgradeCluster } from '../../../src/openstack/magnum-api/clusters.ts'
import { createNodeGroup, listNodeGroups } from '../../../src/openstack/magnum-api/nodegroups.ts'
import { magnumVersions } from '../../../src/openstack/magnum-api/versions.ts'
import { makeService } from '../../../src/openstack/service.ts'
import { refusal, refusalError } from './exchanges.ts'
import { type Caller, target } from './target.ts'

const nobody = '11111111-0000-4000-8000-000000000000'
const cloud = await target()
let user: Caller

beforeAll(async () => {
  if (cloud.there) user = await cloud.as('user')
})
afterAll(() => cloud.close())

const atVersion = async (apiVersion: string) => (await cloud.open('user', { apiVersion })).service

describe.runIf(cloud.there)('a token that is none', () => {
  it.each([
    ['missing', undefined],
    ['wrong', 'not-a-token'],
  ])('is refused with 401 by what stands before Magnum: %s', async (_, token) => {
    const endpoint = await user.session.endpoint('Magnum', await user.session.magnumUrl())
    const service = makeService({ endpoint, token: async () => token, canRenew: false })
    const error = await refusalError(listClusters(service, {}, false))
    expect([error.outcome, error.details.status, error.details.reason]).toEqual([
      'denied',
      401,
      'The request you have made requires authentication.',
    ])
    expect(user.last().headers['www-authenticate']).toMatch(/^Keystone uri="/)
  })
})

describe.runIf(cloud.there)('magnumVersions', () => {
  it('reads the range from the headers of the root of /v1; a version outside it is refused', async () => {
    const { min, max } = await magnumVersions(user.service)
    expect([min, max]).toEqual(['1.1', expect.stringMatching(/^1\.\d+$/)])
    const error = await refusalError(magnumVersions(await atVersion('1.99')))
    expect(error.details.max_version).toBe(max)
  })
})

describe.runIf(cloud.there)('microversions', () => {
  it('are in each answer, with the supported range', async () => {
    await listClusters(user.service, { limit: 1 }, false)
    const { headers } = user.last()
    expect(headers['openstack-api-minimum-version']).toMatch(/^container-infra\S* 1\.\d+$/)
    expect(headers['openstack-api-maximum-version']).toMatch(/^container-infra\S* 1\.\d+$/)
    expect(headers['openstack-api-version']).toMatch(/^container-infra\S* 1\.1$/)
    expect(headers['x-openstack-request-id']).toMatch(/^req-/)
  })

  it('are used as requested', async () => {
    const caller = await cloud.open('user', { apiVersion: '1.7' })
    await listClusters(caller.service, { limit: 1 }, false)
    expect(caller.last().headers['openstack-api-version']).toMatch(/ 1\.7$/)
  })

  it.each(['1.99', '1.0', '2.1'])('are refused with 406 when out of range: %s', async version => {
    const error = await refusalError(listClusters(await atVersion(version), {}, false))
    expect(error.details.status).toBe(406)
    expect(error.message).toMatch(
      new RegExp(
        `^API version ${version.replace('.', '\\.')} was requested, but this server supports 1\\.1 to 1\\.\\d+ `,
      ),
    )
    expect(error.details.max_version).toMatch(/^1\.\d+$/)
  })

  it('are refused with 406 if malformed', async () => {
    expect(await refusal(listClusters(await atVersion('newest'), {}, false))).toEqual([
      406,
      'Invalid value for OpenStack-API-Version header',
    ])
  })

  it.each([
    ['1.6', 'resize', (service: Caller['service']) => resizeCluster(service, nobody, { node_count: 1 })],
    ['1.6', 'upgrade', (service: Caller['service']) => upgradeCluster(service, nobody, { cluster_template: nobody })],
    ['1.8', 'node groups', (service: Caller['service']) => listNodeGroups(service, nobody, {})],
  ])('before theirs (%s) refuse a method with 406: %s', async (version, _, request) => {
    const [status, reason] = await refusal(request(await atVersion(version)))
    expect(status).toBe(406)
    expect(reason).toMatch(
      new RegExp(`^Version ${version.replace('.', '\\.')} was requested but the requested API \\w+ is not supported`),
    )
  })

  it('newer than the server are refused before anything is done: labels of nodes', async () => {
    const body = { name: 'x', role: 'worker', node_labels: { a: 'b' } }
    const error = await refusalError(createNodeGroup(user.service, nobody, body))
    expect([error.details.status, error.hint]).toEqual([406, 'this needs Magnum of OpenStack 2026.2 or newer'])
  })
})

describe.runIf(cloud.there)('what does not exist', () => {
  it('is a 404 of another format for a resource, a 405 for a method', async () => {
    const unknown = await refusalError(user.service.call({ method: 'GET', path: '/nosuch' }))
    expect([unknown.outcome, unknown.details.status]).toEqual(['notFound', 404])
    const method = await refusalError(user.service.call({ method: 'PUT', path: '/clusters', body: {} }))
    expect([method.details.status, method.message]).toEqual([405, expect.stringContaining('Method Not Allowed')])
  })
})
