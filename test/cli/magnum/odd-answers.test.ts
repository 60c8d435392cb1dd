/** HTTP 200 with nonsense: one clear error that says what came where, never "no clusters", a stack, or a bug. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../../support/cloud.ts'
import type { RunResult } from '../../support/run.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ tls: false, clusters: 1, federation: 'working', magnumMax: '1.14' })
  await cloud.run('cluster list')
})
afterAll(() => cloud.close())
afterEach(() => cloud.sandbox.faults.clear())

const deep = (around: string) => around.replace('…', `${'['.repeat(20_000)}${']'.repeat(20_000)}`)

function answer(service: string, path: RegExp, body: unknown, method?: string): void {
  const bytes = typeof body === 'string' ? body : JSON.stringify(body)
  const effect = { kind: 'garbage', bytes, contentType: 'application/json' } as const
  cloud.sandbox.faults.order({ service, path, ...(method ? { method } : {}), times: 99, effect })
}

function expectClear(result: RunResult, says: string | RegExp, code = 1): void {
  expect(result.err).toMatch(says)
  expect(result.err).toMatch(/^(coe: |{"error":)/m)
  expect(result.err).not.toMatch(/bug in coe|TypeError|RangeError|\bat .*\.(ts|js):\d+|\[object/)
  expect(result).toMatchObject({ code, out: '' })
}

const odd = 'Magnum answered with unexpected JSON: '

describe('a list', () => {
  it.each<[unknown, string]>([
    [[], 'it is a list where an object was expected'],
    [{}, '"clusters" is missing'],
    [null, 'it is null where an object was expected'],
    [5, 'it is a number where an object was expected'],
    [{ clusters: null }, '"clusters" is null where a list was expected'],
    [{ clusters: 'x' }, '"clusters" is a string where a list was expected'],
    [{ clusters: { a: 1 } }, '"clusters" is an object where a list was expected'],
    [{ clusters: [null] }, '"clusters[0]" is null where an object was expected'],
    [{ clusters: [{ name: 'x' }] }, '"clusters[0].uuid" is missing'],
    [{ clusters: [{ uuid: 1, name: 'x' }] }, '"clusters[0].uuid" is a number where a string was expected'],
    [{ clusters: [{ uuid: 'u', name: {} }] }, '"clusters[0].name" is an object where a string was expected'],
    [{ clusters: [{ uuid: 'u', status: ['x'] }] }, '"clusters[0].status" is a list where a string was expected'],
    [
      { clusters: [{ uuid: 'u', labels: { a: [] } }] },
      '"clusters[0].labels.a" is a list where a plain value was expected',
    ],
    [{ clusters: [], next: 5 }, '"next" is a number where a string was expected'],
  ])('%j', async (body, says) => {
    answer('magnum', /clusters/, body)
    const result = await cloud.run('cluster list')
    expectClear(result, `${odd}${says} (${cloud.sandbox.magnumUrl}, HTTP 200)`)
  })

  it('20,000 levels deep, wherever', async () => {
    for (const body of [
      deep('…'),
      deep('{"clusters": …}'),
      deep('{"clusters": [{"uuid": "u", "name": "n", "more": …}]}'),
    ]) {
      answer('magnum', /clusters/, body)
      for (const line of ['cluster list', 'cluster list -f json', 'cluster list -v']) {
        expectClear(await cloud.run(line), /Magnum answered with JSON that is nested too deep/)
      }
      cloud.sandbox.faults.clear()
    }
  })

  it('with fields that coe does not know, and without a name, is fine', async () => {
    answer('magnum', /clusters/, {
      clusters: [{ uuid: 'u', name: null, novel: [{ a: 1 }], labels: { a: 1, b: true, c: null } }],
    })
    const { code, out } = await cloud.run('cluster list -f json')
    expect({ code, rows: JSON.parse(out) }).toMatchObject({ code: 0, rows: [{ uuid: 'u', name: null }] })
    expectClear(await cloud.run('cluster show nothing'), /no cluster|not found|is not a cluster/i)
  })

  it('whose pages lead in a circle', async () => {
    const page = (marker: string) => ({
      clusters: [{ uuid: marker, name: marker }],
      next: `http://x/v1/clusters?marker=${marker}`,
    })
    answer('magnum', /marker=b/, page('a'))
    answer('magnum', /marker=a/, page('b'))
    answer('magnum', /clusters$/, page('a'))
    expectClear(await cloud.run('cluster list'), /the pages of Magnum.s list of clusters form a loop/)
  })

  it.each([
    ['cluster template list', 'clustertemplates'],
    ['federation list', 'federations'],
    ['quotas list', 'quotas'],
    ['service list', 'mservices'],
  ])('%s', async (line, key) => {
    answer('magnum', new RegExp(key), { [key]: null })
    expectClear(await cloud.run(line), `${odd}"${key}" is null where a list was expected`)
    cloud.sandbox.faults.clear()
    answer('magnum', new RegExp(key), { [key]: ['x'] })
    expectClear(await cloud.run(line), `${odd}"${key}[0]" is a string where an object was expected`)
  })
})

describe('one thing', () => {
  it.each<[string, RegExp, unknown, string | RegExp, string?]>([
    ['cluster show cluster1', /clusters\/cluster1/, [], `${odd}it is a list`],
    ['cluster show cluster1', /clusters\/cluster1/, {}, /is not a cluster/],
    [
      'cluster show cluster1',
      /clusters\/cluster1/,
      { uuid: 'u', node_count: '3' },
      '"node_count" is a string where a number was expected',
    ],
    [
      'cluster show cluster1',
      /clusters\/cluster1/,
      { uuid: 'u', faults: 'x' },
      '"faults" is a string where an object was expected',
    ],
    [
      'cluster config cluster1 --stdout',
      /clusters\/cluster1/,
      { uuid: 'u', api_address: 7 },
      '"api_address" is a number',
    ],
    [
      'cluster template show k8s',
      /clustertemplates\/k8s/,
      { uuid: 'u', labels: [] },
      '"labels" is a list where an object was expected',
    ],
    ['nodegroup list cluster1', /nodegroups/, { nodegroups: [{ uuid: 'u' }] }, '"nodegroups[0].name" is missing'],
    ['ca show cluster1', /certificates/, { pem: null }, '"pem" is null where a string was expected'],
    ['stats list', /stats/, { clusters: 'many', nodes: 1 }, '"clusters" is a string where a number was expected'],
    ['quotas show --project-id p', /quotas/, {}, '"project_id" is missing'],
    // whether it was done is looked at, as after an answer that was lost
    ['cluster create new --cluster-template k8s', /clusters$/, {}, /lost, and cluster "new" was not created/, 'POST'],
    [
      'cluster resize cluster1 3',
      /actions\/resize/,
      { uuid: null },
      '"uuid" is null where a string was expected',
      'POST',
    ],
    ['nodegroup create cluster1 more', /nodegroups/, [], /lost, and node group "more" .* was not created/, 'POST'],
  ])('%s: %s answers %j', async (line, path, body, says, method) => {
    answer('magnum', path, body, method)
    expectClear(await cloud.run(line), says)
  })

  it('a refusal without words, or 20,000 levels deep', async () => {
    for (const body of [
      deep('{"errors": [{"detail": …}]}'),
      { errors: [{ detail: {} }] },
      { errors: [null] },
      { error: [] },
      deep('…'),
    ]) {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      cloud.sandbox.faults.order({ service: 'magnum', times: 9, effect: { kind: 'answer', status: 400, body: text } })
      expectClear(await cloud.run('cluster list'), /HTTP 400/)
      cloud.sandbox.faults.clear()
    }
  })
})

describe('Keystone', () => {
  const env = { COE_TOKEN_CACHE: 'false' }
  const token = (more: object) => ({ token: { expires_at: '2099-01-01T00:00:00Z', ...more } })
  const keystone = 'Keystone answered with unexpected JSON: '
  const login = (body: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = { 'X-Subject-Token': 'gAAAA-some-token', 'Content-Type': 'application/json' }
    cloud.sandbox.faults.order({
      service: 'keystone',
      path: /auth\/tokens/,
      effect: { kind: 'answer', status: 201, body: text, headers },
    })
    return cloud.run('cluster list', { env })
  }

  it.each<[unknown, string | RegExp]>([
    [[], /is not a Keystone v3 API/],
    [{ token: 'x' }, `${keystone}"token" is a string where an object was expected`],
    [token({ catalog: {} }), `${keystone}"token.catalog" is an object where a list was expected`],
    [token({ catalog: [null] }), `${keystone}"token.catalog[0]" is null where an object was expected`],
    [token({ catalog: [{ type: 'container-infra' }] }), `${keystone}"token.catalog[0].endpoints" is missing`],
    [
      token({ catalog: [{ type: 'container-infra', endpoints: [{ interface: 'public', url: 1 }] }] }),
      '"token.catalog[0].endpoints[0].url" is a number where a string was expected',
    ],
    [token({ roles: [{}] }), '"token.roles[0].name" is missing'],
    [token({ project: 'demo' }), '"token.project" is a string where an object was expected'],
    [token({ expires_at: 'soon' }), '"token.expires_at" is a string where a date was expected'],
    [
      token({
        catalog: [
          {
            type: 'container-infra',
            endpoints: [{ interface: 'public', region: 'RegionOne', url: 'magnum.example.com' }],
          },
        ],
      }),
      /"magnum.example.com" as the address of Magnum, which is not an http/,
    ],
    [deep('{"token": …}'), /Keystone answered with JSON that is nested too deep/],
  ])('a login answers %j', async (body, says) => {
    expectClear(await login(body), says)
  })

  it('a document of versions that is none: doctor says so', async () => {
    for (const body of [{ versions: 5 }, { versions: { values: [null] } }, { version: { id: 3 } }, [], null]) {
      answer('keystone', /v3$/, body, 'GET')
      const { out, err } = await cloud.run('doctor --max-width 300', { env })
      expect(out).toContain('not as a Keystone v3 API')
      expect(out + err).not.toMatch(/bug in coe|TypeError/)
      cloud.sandbox.faults.clear()
    }
  })

  it('projects that are none', async () => {
    answer('keystone', /projects/, { projects: [{ id: 1 }] }, 'GET')
    expectClear(
      await cloud.as('admin', 'admin')('cluster list --project demo'),
      `${keystone}"projects[0].id" is a number where a string was expected`,
    )
  })
})
