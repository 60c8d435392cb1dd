import { describe, expect, it } from 'vitest'
import { send } from '../request.ts'
import { cloud, errorOf } from './cloud.ts'

describe('versions', () => {
  it('are shown at the root and at /v1, without a login', async () => {
    const { sandbox } = await cloud()
    const base = sandbox.magnumUrl.replace('/v1', '')
    const root = await send('GET', `${base}/`)
    expect(root.json.versions).toEqual([
      {
        id: 'v1',
        links: [{ href: `${base}/v1/`, rel: 'self' }],
        status: 'CURRENT',
        max_version: '1.10',
        min_version: '1.1',
      },
    ])
    const v1 = await send('GET', `${base}/v1/`)
    expect(v1.headers['openstack-api-version']).toBe('container-infra 1.1')
    expect(v1.json.federations[0].href).toBe(`${base}/v1/federations/`)
    expect(v1.json.nodegroups[0].href).toBe(`${base}/v1/clusters/{cluster_id}/nodegroups`)
    expect(v1.json.credentials).toBeUndefined()
    expect((await send('GET', `${base}/healthcheck`)).json).toEqual({ detailed: false, reasons: ['OK'] })
  })

  it('are negotiated by a header, 1.1 without', async () => {
    const { as } = await cloud()
    const get = as('demo/demo')
    const spoken = async (version: string | null) =>
      (await get('GET', '/v1/clusters', undefined, { version })).headers['openstack-api-version']
    expect(await spoken(null)).toBe('container-infra 1.1')
    expect(await spoken('1.4')).toBe('container-infra 1.4')
    expect(await spoken('latest')).toBe('container-infra 1.10')
    const reply = await get('GET', '/v1/clusters')
    expect(reply.headers).toMatchObject({
      'openstack-api-minimum-version': 'container-infra 1.1',
      'openstack-api-maximum-version': 'container-infra 1.10',
      vary: 'OpenStack-API-Version',
    })
  })

  it('out of range are a 406 in their own format', async () => {
    const { as } = await cloud()
    for (const [version, text] of [
      ['1.99', 'Version 1.99 was requested but the minor version is not supported by this service. '],
      ['1.0', 'Version 1.0 was requested but the minor version is not supported by this service. '],
      ['2.0', 'Mutually exclusive versions requested. Version 2.0 requested but not supported by this service.'],
    ] as const) {
      const reply = await as('demo/demo')('GET', '/v1/clusters', undefined, { version })
      expect(reply.status).toBe(406)
      const [error] = reply.json.errors
      expect(error).toMatchObject({
        code: 'magnum.microversion-unsupported',
        title: 'Requested microversion is unsupported',
        max_version: '1.10',
        min_version: '1.1',
      })
      const range = 'The supported version range is: [container-infra 1.1, container-infra 1.10].'
      expect(error.description).toBe(text + range)
      expect(error.detail).toBeUndefined()
      expect(error.status).toBeUndefined()
    }
  })

  it.each([
    ['container-infra abc', 'Invalid value for OpenStack-API-Version header'],
    ['container-infra 1.2.3', 'Invalid value for OpenStack-API-Version header'],
    ['container-infra', 'Invalid service type for OpenStack-API-Version header'],
    ['compute 2.1', 'Invalid service type for OpenStack-API-Version header'],
    ['1.10', 'Invalid service type for OpenStack-API-Version header'],
    ['container-infrastructure-management 1.10', 'Invalid service type for OpenStack-API-Version header'],
  ])('malformed are a 406 of the framework: %s', async (header, detail) => {
    const { as } = await cloud()
    const headers = { 'OpenStack-API-Version': header }
    const reply = await as('demo/demo')('GET', '/v1/clusters', undefined, { version: null, headers })
    expect(reply.status).toBe(406)
    expect(errorOf(reply)).toMatchObject({ code: '', status: 406, title: 'Not Acceptable', detail })
    expect(reply.headers['openstack-api-version']).toBeUndefined()
  })

  it('decide the features: of an old server, and of a new one', async () => {
    const old = await cloud({ magnumMax: '1.6' })
    const uuid = await old.template()
    const cluster = await old.cluster('c1', { cluster_template_id: uuid })
    const shown = (await old.as('demo/demo')('GET', `/v1/clusters/${cluster}`)).json
    expect(Object.keys(shown)).not.toContain('health_status')
    expect(Object.keys(shown)).not.toContain('merge_labels')
    const refused = await old.as('demo/demo')('POST', '/v1/clusters', { cluster_template_id: uuid, merge_labels: true })
    expect(errorOf(refused).detail).toBe('Unknown attribute for argument cluster: merge_labels')
    expect((await old.as('demo/demo')('GET', `/v1/clusters/${cluster}/nodegroups`)).status).toBe(406)

    const recent = await cloud({ magnumMax: '1.14' })
    const newer = await recent.cluster('c1', { cluster_template_id: await recent.template() })
    recent.sandbox.clock.advance(60_000)
    const row = await recent.as('demo/demo')('GET', `/v1/clusters/${newer}`)
    expect(row.json.cluster_id).toMatch(/-/)
    expect(row.json.stack_id).toBeUndefined()
    expect(row.headers['openstack-api-version']).toBe('container-infrastructure-management 1.14')
    const before = await recent.as('demo/demo')('GET', `/v1/clusters/${newer}`, undefined, { version: '1.12' })
    expect(before.json.stack_id).toBe(row.json.cluster_id)
    expect((await recent.as('demo/demo')('PATCH', `/v1/credentials/${newer}`)).status).toBe(202)
    const early = await recent.as('demo/demo')('PATCH', `/v1/credentials/${newer}`, undefined, { version: '1.11' })
    expect(errorOf(early).detail).toBe(
      'Version 1.11 was requested but the requested API patch is not supported for this version.',
    )
  })
})

describe('the framework', () => {
  it('answers 401 in Keystone’s format, without a token or with a bad one', async () => {
    const { sandbox } = await cloud()
    for (const headers of [{}, { 'X-Auth-Token': 'bad' }]) {
      const reply = await send('GET', `${sandbox.magnumUrl}/clusters`, { headers })
      expect(reply.status).toBe(401)
      expect(reply.json.error).toMatchObject({ code: 401, title: 'Unauthorized' })
      expect(reply.headers['www-authenticate']).toBe(`Keystone uri="${sandbox.authUrl}"`)
      expect(reply.headers['x-openstack-request-id']).toMatch(/^req-/)
    }
  })

  it.each([
    ['GET', '/v1/nosuch', 404, 'Not Found', undefined],
    ['PATCH', '/v1/credentials/x', 405, 'Method Not Allowed', 'GET'],
    ['PUT', '/v1/clusters', 405, 'Method Not Allowed', 'DELETE, GET, PATCH, POST'],
    ['POST', '/v1/clusters/x/actions/reboot', 405, 'Method Not Allowed', ''],
    ['POST', '/v1/stats', 405, 'Method Not Allowed', 'GET'],
    ['GET', '/v1/certificates', 405, 'Method Not Allowed', 'GET, PATCH, POST'],
    ['GET', '/v1/clusters/a%2Fb', 404, 'Not Found', undefined],
  ])('%s %s is a bare %i', async (method, path, status, title, allow) => {
    const { as } = await cloud()
    const reply = await as('demo/demo')(method, path, method === 'GET' ? undefined : {})
    expect(reply.status).toBe(status)
    expect(reply.json).toEqual({ errors: [{ request_id: '', code: '', status, title, detail: '', links: [] }] })
    expect(reply.headers.allow).toBe(allow)
    expect(reply.headers['openstack-api-version']).toBeUndefined()
  })

  it('takes a missing /v1 for one, and another version for a marker', async () => {
    const { as } = await cloud()
    expect((await as('demo/demo')('GET', '/clusters')).json).toEqual({ clusters: [] })
    const other = await as('demo/demo')('GET', '/v2/clusters')
    expect(errorOf(other).detail).toBe(
      "Invalid input for field/attribute marker. Value: 'v2'. unable to convert to uuid. Error: Expected a uuid but received v2.",
    )
  })

  it('adds a request id to every answer', async () => {
    const { as } = await cloud()
    const ids = new Set<unknown>()
    for (const path of ['/v1/clusters', '/v1/nosuch', '/v1/clusters/nosuch', '/']) {
      ids.add((await as('demo/demo')('GET', path)).headers['x-openstack-request-id'])
    }
    expect(ids.size).toBe(4)
    for (const id of ids) expect(id).toMatch(/^req-[\da-f-]{36}$/)
  })
})
