import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { adminOf, type Client, configMap, deployment, namespace, tokenClient } from './client.ts'

let sandbox: KubeSandbox
let api: Client
const maps = '/api/v1/namespaces/shop/configmaps'
const deployments = '/apis/apps/v1/namespaces/shop/deployments'

beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  api = await adminOf(sandbox.host)
  await api.post('/api/v1/namespaces', namespace('shop'))
})
afterAll(() => sandbox.close())

test('creates, then changes nothing', async () => {
  const made = await api.apply(`${maps}/a`, configMap('a', { x: '1' }))
  expect(made.status).toBe(201)
  expect(made.body.metadata.managedFields).toEqual([
    expect.objectContaining({
      manager: 'coe',
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsV1: { 'f:data': { 'f:x': {} } },
    }),
  ])
  const again = await api.apply(`${maps}/a`, configMap('a', { x: '1' }))
  expect(again.status).toBe(200)
  expect(again.body).toEqual(made.body)
})

test('understands YAML', async () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  x: "1"\n'
  expect((await api.apply(`${maps}/yaml`, text)).body.data).toEqual({ x: '1' })
})

test('names the manager and the field of a conflict, and takes the field only by force', async () => {
  await api.post(maps, configMap('b', { a: '1' }, { labels: { x: 'y' } }))
  const one = await api.apply(`${maps}/b`, configMap('b', { a: '2', b: '1' }))
  expect(one).toMatchObject({
    status: 409,
    body: {
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "tester" using v1: .data.a',
      details: {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "tester" using v1', field: '.data.a' }],
      },
    },
  })
  const two = await api.apply(`${maps}/b`, configMap('b', { a: '2' }, { labels: { x: 'q' } }))
  expect(two.body.message).toBe(
    'Apply failed with 2 conflicts: conflicts with "tester" using v1:\n- .metadata.labels.x\n- .data.a',
  )
  const forced = await api.apply(`${maps}/b`, configMap('b', { a: '2' }), 'fieldManager=coe&force=true')
  expect(forced.body.data).toEqual({ a: '2' })
  const back = await api.apply(`${maps}/b`, configMap('b', { a: '3' }), 'fieldManager=other')
  expect(back.body.message).toContain('conflict with "coe": .data.a')
})

test('the same value is not a conflict: both managers own it', async () => {
  await api.apply(`${maps}/shared`, configMap('shared', { a: '1' }), 'fieldManager=one')
  const { body } = await api.apply(`${maps}/shared`, configMap('shared', { a: '1' }), 'fieldManager=two')
  expect(body.metadata.managedFields.map((f: { manager: string }) => f.manager).sort()).toEqual(['one', 'two'])
})

test('a field that is no longer applied is removed, unless another manager owns it too', async () => {
  await api.apply(`${maps}/c`, configMap('c', { mine: '1', both: '1' }))
  await api.apply(`${maps}/c`, configMap('c', { both: '1', theirs: '1' }), 'fieldManager=other')
  const { body } = await api.apply(`${maps}/c`, configMap('c', {}))
  expect(body.data).toEqual({ both: '1', theirs: '1' })
})

test('lists with keys are merged item by item', async () => {
  await api.apply(`${deployments}/web`, deployment('web', 1))
  const sidecar = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      template: {
        spec: {
          containers: [
            { name: 'side', image: 'side:1', ports: [{ containerPort: 80 }], env: [{ name: 'A', value: '1' }] },
          ],
        },
      },
    },
  }
  const { body } = await api.apply(`${deployments}/web`, sidecar, 'fieldManager=mesh')
  expect(body.spec.template.spec.containers.map((c: { name: string }) => c.name)).toEqual(['main', 'side'])
  const owned = body.metadata.managedFields.find((f: { manager: string }) => f.manager === 'mesh').fieldsV1
  const container = owned['f:spec']['f:template']['f:spec']['f:containers']['k:{"name":"side"}']
  expect(Object.keys(container).sort()).toEqual(['.', 'f:env', 'f:image', 'f:name', 'f:ports'])
  expect(Object.keys(container['f:ports'])).toEqual(['k:{"containerPort":80,"protocol":"TCP"}'])
  const clash = await api.apply(`${deployments}/web`, deployment('web', 1, 'web:2'), 'fieldManager=mesh')
  expect(clash.body.message).toContain('.spec.template.spec.containers[name="main"].image')
  const removed = await api.apply(`${deployments}/web`, { ...sidecar, spec: {} }, 'fieldManager=mesh')
  expect(removed.body.message).toBeUndefined()
  expect(removed.body.spec.template.spec.containers.map((c: { name: string }) => c.name)).toEqual(['main'])
})

test('defaults have no owner: omitting them changes nothing', async () => {
  const first = await api.apply(`${deployments}/calm`, deployment('calm', 0))
  expect(first.body.spec.template.spec.restartPolicy).toBe('Always')
  await api.until(`${deployments}/calm`, r => r.body.status?.observedGeneration === 1)
  const second = await api.apply(`${deployments}/calm`, deployment('calm', 0))
  expect(second.body.metadata.generation).toBe(1)
  expect(second.body.spec.template.spec.restartPolicy).toBe('Always')
})

test('status is applied only through its subresource', async () => {
  await api.apply(`${deployments}/doors`, { ...deployment('doors', 0), status: { replicas: 7 } })
  const { body } = await api.get(`${deployments}/doors`)
  expect(body.status?.replicas).not.toBe(7)
  expect(JSON.stringify(body.metadata.managedFields)).not.toContain('f:status')
})

test('refuses invalid objects', async () => {
  const nobody = await api.apply(`${maps}/d`, configMap('d', {}), '')
  expect(nobody).toMatchObject({ status: 422, body: { details: { causes: [{ field: 'fieldManager' }] } } })
  const owned = await api.apply(`${maps}/d`, configMap('d', {}, { managedFields: [{ manager: 'x' }] }))
  expect(owned).toMatchObject({ status: 400, body: { message: 'metadata.managedFields must be nil' } })
  const elsewhere = await api.apply(`${maps}/d`, configMap('e', {}))
  expect(elsewhere.body.message).toBe('the name of the object (e) does not match the name on the URL (d)')
})

test('applying a missing object needs the right to create', async () => {
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch', 'get'] }]
  await api.post('/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'patcher' },
    rules,
  })
  await api.post('/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'patcher' },
    roleRef: { kind: 'Role', name: 'patcher' },
    subjects: [{ kind: 'User', name: 'pat' }],
  })
  const pat = tokenClient(sandbox.host, sandbox.host.staticToken('pat'))
  expect(await pat.apply(`${maps}/new`, configMap('new', {}))).toMatchObject({
    status: 403,
    body: {
      message:
        'configmaps "new" is forbidden: User "pat" cannot create resource "configmaps" in API group "" in the namespace "shop"',
    },
  })
  await api.apply(`${maps}/old`, configMap('old', {}))
  expect((await pat.apply(`${maps}/old`, configMap('old', { a: '1' }), 'fieldManager=pat')).status).toBe(200)
})
