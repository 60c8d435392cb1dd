import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { adminOf, type Client, configMap, namespace } from './client.ts'

let sandbox: KubeSandbox
let api: Client
const maps = '/api/v1/namespaces/shop/configmaps'
const names = (list: { items: { metadata: { name: string } }[] }) => list.items.map(i => i.metadata.name)

beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  api = await adminOf(sandbox.host)
  await api.post('/api/v1/namespaces', namespace('shop'))
  await api.until(`${maps}/kube-root-ca.crt`, r => r.status === 200)
  for (const n of [1, 2, 3, 4, 5]) {
    await api.post(maps, configMap(`m${n}`, {}, { labels: { n: String(n), ...(n % 2 ? { odd: '' } : {}) } }))
  }
})
afterAll(() => sandbox.close())

test('lists name their kind once, at the top', async () => {
  const { body } = await api.get(maps)
  expect(body).toMatchObject({
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion: expect.any(String) },
  })
  expect(body.items[0].kind).toBeUndefined()
})

test.each([
  ['n=1', ['m1']],
  ['n!=1,n', ['m2', 'm3', 'm4', 'm5']],
  ['n in (1,2),odd', ['m1']],
  ['n notin (1,2),n', ['m3', 'm4', 'm5']],
  ['!odd,n', ['m2', 'm4']],
])('selects by labels: %s', async (selector, expected) => {
  expect(names((await api.get(`${maps}?labelSelector=${encodeURIComponent(selector)}`)).body)).toEqual(expected)
})

test('says what is wrong with a selector', async () => {
  expect((await api.get(`${maps}?labelSelector=a%20b`)).body).toMatchObject({
    code: 400,
    message: "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
  })
  expect((await api.get(`${maps}?fieldSelector=data.x%3D1`)).body.message).toBe(
    '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
  )
})

test('selects by fields', async () => {
  expect(names((await api.get(`${maps}?fieldSelector=metadata.name%3Dm3`)).body)).toEqual(['m3'])
})

test('returns a list in pages', async () => {
  const first = (await api.get(`${maps}?labelSelector=n&limit=2`)).body
  expect(names(first)).toEqual(['m1', 'm2'])
  expect(first.metadata.remainingItemCount).toBe(3)
  const second = (await api.get(`${maps}?labelSelector=n&limit=2&continue=${first.metadata.continue}`)).body
  const third = (await api.get(`${maps}?labelSelector=n&limit=2&continue=${second.metadata.continue}`)).body
  expect([...names(second), ...names(third)]).toEqual(['m3', 'm4', 'm5'])
  expect(third.metadata.continue).toBeUndefined()
})

test('a page requested too late is gone', async () => {
  const { metadata } = (await api.get(`${maps}?limit=2`)).body
  await api.post(maps, configMap('late', {}))
  sandbox.host.plane.store.compact()
  expect(await api.get(`${maps}?limit=2&continue=${metadata.continue}`)).toMatchObject({
    status: 410,
    body: { reason: 'Expired' },
  })
  expect((await api.get(`${maps}?continue=abc`)).body.message).toContain('invalid continue token')
})

test('returns tables to kubectl', async () => {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
  const { body } = await api.get('/api/v1/namespaces', { accept })
  expect(body.columnDefinitions.map((c: { name: string }) => c.name)).toEqual(['Name', 'Status', 'Age'])
  expect(body.rows[0]).toMatchObject({
    cells: ['default', 'Active', expect.stringMatching(/^\d+s$/)],
    object: { metadata: { name: 'default' } },
  })
  const { body: none } = await api.get(`${maps}?labelSelector=none`, { accept })
  expect(none).toMatchObject({ kind: 'Table', rows: [] })
})
