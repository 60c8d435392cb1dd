import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { adminOf, type Client, condition, configMap, deployment, namespace } from './client.ts'

let sandbox: KubeSandbox
let api: Client
let bare: Client

beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 1, loadBalancer: true, host: { nodes: 2 } })
  api = await adminOf(sandbox.host)
  bare = await adminOf(sandbox.cluster('c2'))
  await api.post('/api/v1/namespaces', namespace('shop'))
  await bare.post('/api/v1/namespaces', namespace('shop'))
})
afterAll(() => sandbox.close())

const service = (name: string, type: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { type, selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080, ...more }] },
})
const services = '/api/v1/namespaces/shop/services'

test('namespaces get a service account and the CA that their pods trust', async () => {
  await api.until('/api/v1/namespaces/shop/serviceaccounts/default', r => r.status === 200)
  const { body } = await api.until('/api/v1/namespaces/shop/configmaps/kube-root-ca.crt', r => r.status === 200)
  expect(body.data['ca.crt']).toBe(sandbox.host.caCertificate)
  expect((await api.get('/api/v1/namespaces/shop')).body).toMatchObject({
    metadata: { labels: { 'kubernetes.io/metadata.name': 'shop' } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  })
})

test('a namespace is emptied before it is deleted, and accepts nothing new meanwhile', async () => {
  await api.post('/api/v1/namespaces', namespace('doomed'))
  const maps = '/api/v1/namespaces/doomed/configmaps'
  await api.post(maps, configMap('held', {}, { finalizers: ['example.com/hold'] }))
  await api.post('/apis/apps/v1/namespaces/doomed/deployments', deployment('web', 2))
  await api.until('/apis/apps/v1/namespaces/doomed/deployments/web', r => r.body.status?.readyReplicas === 2)
  expect((await api.del('/api/v1/namespaces/doomed')).body.status.phase).toBe('Terminating')
  expect(await api.post(maps, configMap('late', {}))).toMatchObject({
    status: 403,
    body: {
      message:
        'configmaps "late" is forbidden: unable to create new content in namespace doomed because it is being terminated',
      details: { causes: [{ reason: 'NamespaceTerminating' }] },
    },
  })
  const stuck = await api.until(
    '/api/v1/namespaces/doomed',
    r => condition(r, 'NamespaceFinalizersRemaining')?.status === 'True',
  )
  expect(condition(stuck, 'NamespaceFinalizersRemaining')?.message).toContain(
    'example.com/hold in 1 resource instances',
  )
  await api.patch(`${maps}/held`, 'merge', { metadata: { finalizers: null } })
  await api.until('/api/v1/namespaces/doomed', r => r.status === 404)
  expect((await api.get('/api/v1/pods?fieldSelector=metadata.namespace%3Ddoomed')).body.items).toEqual([])
  expect(await api.del('/api/v1/namespaces/kube-system')).toMatchObject({
    status: 403,
    body: { message: 'namespaces "kube-system" is forbidden: this namespace may not be deleted' },
  })
})

test('Services get their own addresses and ports', async () => {
  const one = (await api.post(services, service('one', 'NodePort'))).body.spec
  const two = (await api.post(services, service('two', 'NodePort'))).body.spec
  expect(one.clusterIP).toMatch(/^10\.96\./)
  expect(one.clusterIP).not.toBe(two.clusterIP)
  expect(one.ports[0].nodePort).toBeGreaterThanOrEqual(30_000)
  expect(one.ports[0].nodePort).toBeLessThanOrEqual(32_767)
  const taken = await api.post(services, service('three', 'NodePort', { nodePort: one.ports[0].nodePort }))
  expect(taken.body.message).toContain('provided port is already allocated')
  const outside = await api.post(services, service('three', 'NodePort', { nodePort: 80 }))
  expect(outside.body.message).toContain('The range of valid ports is 30000-32767')
  const applied = await api.apply(`${services}/one`, service('one', 'NodePort'), 'fieldManager=coe&force=true')
  expect(applied.body.spec).toMatchObject({ clusterIP: one.clusterIP, ports: [{ nodePort: one.ports[0].nodePort }] })
})

test('a load balancer gets an address with a provider, and none without', async () => {
  await api.post(services, service('lb', 'LoadBalancer'))
  const { body } = await api.until(`${services}/lb`, r => r.body.status.loadBalancer.ingress !== undefined)
  expect(body.status.loadBalancer.ingress[0].ip).toMatch(/^127\./)
  await bare.post(services, service('lb', 'LoadBalancer'))
  expect((await bare.get(`${services}/lb`)).body.status).toEqual({ loadBalancer: {} })
})

test('endpoints follow the pods', async () => {
  await api.post(services, service('ends', 'ClusterIP'))
  await api.post('/apis/apps/v1/namespaces/shop/deployments', deployment('ends', 2))
  const { body } = await api.until(
    '/api/v1/namespaces/shop/endpoints/ends',
    r => r.body.subsets?.[0]?.addresses?.length === 2,
  )
  expect(body.subsets[0].ports).toEqual([{ name: 'http', port: 8080, protocol: 'TCP' }])
  const slices =
    '/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dends'
  await api.until(slices, r =>
    r.body.items[0]?.endpoints.every((e: { conditions: { ready: boolean } }) => e.conditions.ready),
  )
})

test('definitions add kinds, and are deleted with their objects', async () => {
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'toys.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'toys', kind: 'Toy', shortNames: ['ty'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object' } },
          subresources: { status: {} },
        },
      ],
    },
  }
  expect((await api.get('/apis/example.com/v1')).status).toBe(404)
  await api.apply(`${crds}/toys.example.com`, crd)
  await api.until(`${crds}/toys.example.com`, r => condition(r, 'Established')?.status === 'True')
  const toys = '/apis/example.com/v1/namespaces/shop/toys'
  const toy = {
    apiVersion: 'example.com/v1',
    kind: 'Toy',
    metadata: { name: 'ball' },
    spec: { list: [1] },
    status: { x: 1 },
  }
  const made = await api.apply(`${toys}/ball`, toy)
  expect(made.body.metadata.generation).toBe(1)
  expect(made.body.status).toBeUndefined()
  expect((await api.get(toys)).body.items[0]).toMatchObject({ kind: 'Toy', apiVersion: 'example.com/v1' })
  expect((await api.patch(`${toys}/ball`, 'strategic-merge', {})).status).toBe(415)
  await api.del(`${crds}/toys.example.com`)
  await api.until(`${crds}/toys.example.com`, r => r.status === 404)
  expect((await api.get(toys)).status).toBe(404)
  const nameless = await api.post(crds, { ...crd, metadata: { name: 'balls.example.com' } })
  expect(nameless.body.message).toContain('must be spec.names.plural+"."+spec.group')
})

test('API services report whether they are available', async () => {
  const path = '/apis/apiregistration.k8s.io/v1/apiservices'
  expect(condition(await api.get(`${path}/v1.apps`), 'Available')).toMatchObject({ status: 'True', reason: 'Local' })
  await api.post(path, {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.example.org' },
    spec: {
      group: 'example.org',
      version: 'v1',
      groupPriorityMinimum: 1,
      versionPriority: 1,
      service: { name: 'x', namespace: 'shop' },
    },
  })
  const reply = await api.until(`${path}/v1.example.org`, r => condition(r, 'Available') !== undefined)
  expect(condition(reply, 'Available')).toMatchObject({ status: 'False', reason: 'ServiceNotFound' })
})

test('an unreachable webhook blocks its objects, according to its policy', async () => {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
  const webhook = (failurePolicy: string) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'guard' },
    webhooks: [
      {
        name: 'guard.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy,
        clientConfig: { url: 'https://guard.shop.svc/check' },
        rules: [{ apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'], operations: ['CREATE'] }],
      },
    ],
  })
  await bare.apply(`${path}/guard`, webhook('Fail'))
  const maps = '/api/v1/namespaces/shop/configmaps'
  const blocked = await bare.post(maps, configMap('a', {}))
  expect(blocked).toMatchObject({ status: 500, body: { reason: 'InternalError' } })
  expect(blocked.body.message).toContain(
    'failed calling webhook "guard.example.com": failed to call webhook: Post "https://guard.shop.svc/check?timeout=10s"',
  )
  await bare.apply(`${path}/guard`, webhook('Ignore'))
  expect((await bare.post(maps, configMap('a', {}))).status).toBe(201)
})
