import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { adminOf, type Client, configMap, deployment, namespace } from './client.ts'

let sandbox: KubeSandbox
let api: Client
const maps = '/api/v1/namespaces/shop/configmaps'

beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  api = await adminOf(sandbox.host)
  await api.post('/api/v1/namespaces', namespace('shop'))
})
afterAll(() => sandbox.close())

test('reports its version and health', async () => {
  expect((await api.get('/version')).body).toMatchObject({ major: '1', minor: '34', gitVersion: 'v1.34.10' })
  for (const path of ['/readyz', '/livez', '/healthz']) {
    expect(await api.get(path)).toMatchObject({ status: 200, body: 'ok' })
  }
})

test('lists its resources', async () => {
  expect((await api.get('/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] })
  const groups = (await api.get('/apis')).body.groups
  expect(groups.find((g: { name: string }) => g.name === 'apps').preferredVersion.groupVersion).toBe('apps/v1')
  const { body } = await api.get('/apis/apps/v1')
  expect(body).toMatchObject({ kind: 'APIResourceList', groupVersion: 'apps/v1' })
  const names = body.resources.map((r: { name: string }) => r.name)
  expect(names).toEqual(expect.arrayContaining(['deployments', 'deployments/status', 'deployments/scale']))
})

test('returns the aggregated list of resources on request', async () => {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const { body, headers } = await api.get('/apis', { accept })
  expect(headers['content-type']).toContain('as=APIGroupDiscoveryList')
  const apps = body.items.find((i: { metadata: { name: string } }) => i.metadata.name === 'apps')
  expect(apps.versions[0].resources.map((r: { resource: string }) => r.resource)).toContain('deployments')
})

test('answers 404 in three ways: no object, no resource, no group', async () => {
  expect(await api.get(`${maps}/nope`)).toMatchObject({
    status: 404,
    body: {
      kind: 'Status',
      status: 'Failure',
      reason: 'NotFound',
      message: 'configmaps "nope" not found',
      details: { name: 'nope', kind: 'configmaps' },
      code: 404,
    },
  })
  const resource = await api.get('/api/v1/nosuch')
  expect(resource.body.message).toBe('the server could not find the requested resource')
  expect(await api.get('/apis/nope/v1/x')).toMatchObject({ status: 404, body: '404 page not found\n' })
})

test('creates once, and refuses the second time', async () => {
  const made = await api.post(maps, configMap('once', { a: '1' }))
  expect(made.status).toBe(201)
  expect(made.body.metadata).toMatchObject({ name: 'once', namespace: 'shop', uid: expect.any(String) })
  expect(made.body.metadata.managedFields[0]).toMatchObject({
    manager: 'tester',
    operation: 'Update',
    fieldsV1: { 'f:data': { 'f:a': {} } },
  })
  expect(await api.post(maps, configMap('once', { a: '1' }))).toMatchObject({
    status: 409,
    body: { reason: 'AlreadyExists', message: 'configmaps "once" already exists' },
  })
})

test('makes up names from generateName', async () => {
  const { body } = await api.post(maps, { ...configMap('', {}), metadata: { generateName: 'run-' } })
  expect(body.metadata.name).toMatch(/^run-[a-z0-9]{5}$/)
})

test('refuses bad names, labels and objects with 422 and the fields', async () => {
  const bad = await api.post(maps, configMap('A_b', {}, { labels: { 'x y': 'y/' } }))
  expect(bad.status).toBe(422)
  expect(bad.body.message).toContain(
    'ConfigMap "A_b" is invalid: [metadata.name: Invalid value: "A_b": a lowercase RFC 1123',
  )
  expect(bad.body.details.causes.map((c: { field: string }) => c.field)).toEqual([
    'metadata.name',
    'metadata.labels',
    'metadata.labels',
  ])
  const mismatch = deployment('web', 1, 'web:1', { selector: { matchLabels: { app: 'other' } } })
  const refused = await api.post('/apis/apps/v1/namespaces/shop/deployments', mismatch)
  expect(refused.body.message).toContain('`selector` does not match template `labels`')
  expect(refused.body.details).toMatchObject({ group: 'apps', kind: 'Deployment', name: 'web' })
})

test('refuses to create in a missing namespace', async () => {
  expect(await api.post('/api/v1/namespaces/nowhere/configmaps', configMap('a', {}))).toMatchObject({
    status: 404,
    body: { message: 'namespaces "nowhere" not found', details: { kind: 'namespaces', name: 'nowhere' } },
  })
})

test('an update with an old resourceVersion is a conflict, one that changes nothing writes nothing', async () => {
  const { body: made } = await api.post(maps, configMap('versions', { a: '1' }))
  const same = await api.put(`${maps}/versions`, made)
  expect(same.body.metadata.resourceVersion).toBe(made.metadata.resourceVersion)
  const next = await api.put(`${maps}/versions`, { ...made, data: { a: '2' } })
  expect(Number(next.body.metadata.resourceVersion)).toBeGreaterThan(Number(made.metadata.resourceVersion))
  expect(await api.put(`${maps}/versions`, made)).toMatchObject({
    status: 409,
    body: {
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "versions": the object has been modified; please apply your changes to the latest version and try again',
    },
  })
})

test('supports three kinds of patches, and no others', async () => {
  await api.post(maps, configMap('patched', { a: '1', b: '2' }))
  expect((await api.patch(`${maps}/patched`, 'merge', { data: { a: null, c: '3' } })).body.data).toEqual({
    b: '2',
    c: '3',
  })
  const operations = [
    { op: 'test', path: '/data/b', value: '2' },
    { op: 'replace', path: '/data/b', value: '4' },
  ]
  expect((await api.patch(`${maps}/patched`, 'json', operations)).body.data).toEqual({ b: '4', c: '3' })
  const failed = await api.patch(`${maps}/patched`, 'json', operations)
  expect(failed.status).toBe(422)
  const deployments = '/apis/apps/v1/namespaces/shop/deployments'
  await api.post(deployments, deployment('strategic', 0))
  const sidecar = { spec: { template: { spec: { containers: [{ name: 'side', image: 'side:1' }] } } } }
  const { body } = await api.patch(`${deployments}/strategic`, 'strategic-merge', sidecar)
  expect(body.spec.template.spec.containers.map((c: { name: string }) => c.name).sort()).toEqual(['main', 'side'])
  const unknown = await api.send('PATCH', `${maps}/patched`, '{}', { 'content-type': 'text/plain' })
  expect(unknown).toMatchObject({ status: 415, body: { reason: 'UnsupportedMediaType' } })
  expect((await api.put(maps, {})).status).toBe(405)
})

test('a dry run checks everything and stores nothing', async () => {
  expect((await api.post(`${maps}?dryRun=All`, configMap('dry', { a: '1' }))).status).toBe(201)
  expect((await api.get(`${maps}/dry`)).status).toBe(404)
  await api.post(maps, configMap('kept', { a: '1' }))
  expect((await api.del(`${maps}/kept?dryRun=All`)).status).toBe(200)
  expect(
    (await api.apply(`${maps}/kept`, configMap('kept', { a: '2' }), 'fieldManager=coe&force=true&dryRun=All')).body.data
      .a,
  ).toBe('2')
  expect((await api.get(`${maps}/kept`)).body.data.a).toBe('1')
})

test('deletes with preconditions, and returns the deleted object', async () => {
  const { body: made } = await api.post(maps, configMap('gone', {}))
  const wrong = await api.del(`${maps}/gone`, { preconditions: { uid: 'xx' } })
  expect(wrong).toMatchObject({ status: 409, body: { reason: 'Conflict' } })
  expect(wrong.body.message).toContain('the UID in the precondition (xx) does not match the UID in record')
  expect((await api.del(`${maps}/gone`)).body).toMatchObject({
    kind: 'Status',
    status: 'Success',
    details: { name: 'gone', kind: 'configmaps', uid: made.metadata.uid },
  })
})

test('finalizers keep a deleted object until they are removed', async () => {
  await api.post(maps, configMap('held', {}, { finalizers: ['example.com/hold'] }))
  const { body: marked } = await api.del(`${maps}/held`)
  expect(marked.metadata.deletionTimestamp).toBeDefined()
  expect((await api.get(`${maps}/held`)).status).toBe(200)
  await api.patch(`${maps}/held`, 'merge', { metadata: { finalizers: null } })
  expect((await api.get(`${maps}/held`)).status).toBe(404)
})

test('deletes a selection at once', async () => {
  for (const name of ['s1', 's2']) await api.post(maps, configMap(name, {}, { labels: { sweep: 'yes' } }))
  const { body } = await api.del(`${maps}?labelSelector=sweep%3Dyes`)
  expect(body.items.map((i: { metadata: { name: string } }) => i.metadata.name)).toEqual(['s1', 's2'])
  expect((await api.get(`${maps}?labelSelector=sweep%3Dyes`)).body.items).toEqual([])
})

test('status and spec are written separately, and only the spec changes the generation', async () => {
  const path = '/apis/apps/v1/namespaces/shop/deployments'
  const { body: made } = await api.post(path, { ...deployment('parts', 0), status: { replicas: 9 } })
  expect(made).toMatchObject({ metadata: { generation: 1 }, spec: { strategy: { type: 'RollingUpdate' } } })
  expect(made.status?.replicas).toBeUndefined()
  const scaled = await api.patch(`${path}/parts/scale`, 'merge', { spec: { replicas: 2 } })
  expect(scaled.body).toMatchObject({ kind: 'Scale', spec: { replicas: 2 } })
  const { body } = await api.get(`${path}/parts`)
  expect(body).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 2 } })
  const before = (await api.get('/api/v1/namespaces/shop')).body
  const status = await api.patch('/api/v1/namespaces/shop/status', 'merge', {
    metadata: { labels: { no: 'way' } },
    status: { note: 'x' },
  })
  expect(status.body.status.note).toBe('x')
  expect(status.body.metadata.labels).toEqual(before.metadata.labels)
})

test('immutable fields stay unchanged', async () => {
  const secrets = '/api/v1/namespaces/shop/secrets'
  await api.post(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'x' } })
  const { body } = await api.get(`${secrets}/s`)
  expect(body).toMatchObject({ type: 'Opaque', data: { a: 'eA==' } })
  expect(body.stringData).toBeUndefined()
  const changed = await api.patch(`${secrets}/s`, 'merge', { type: 'kubernetes.io/tls' })
  expect(changed).toMatchObject({
    status: 422,
    body: { details: { causes: expect.arrayContaining([expect.objectContaining({ field: 'type' })]) } },
  })
})
