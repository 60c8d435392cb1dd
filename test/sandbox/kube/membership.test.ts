import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { clusters, type Federation, join, memberRole, raise } from './blueprint.ts'
import { adminOf, type Client, condition, deployment, namespace } from './client.ts'

let sandbox: KubeSandbox
let federation: Federation
let api: Client
let c2: Client
let c3: Client
const works = (name: string) => `/apis/work.karmada.io/v1alpha1/namespaces/karmada-es-${name}/works`
const policies = '/apis/policy.karmada.io/v1alpha1/namespaces/shop/propagationpolicies'
const apps = '/apis/apps/v1/namespaces/shop/deployments'
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const isReady = (status: string) => (r: Parameters<typeof condition>[0]) => condition(r, 'Ready')?.status === status

beforeAll(async () => {
  sandbox = await startKubeSandbox({
    members: 2,
    timings: { clusterProbe: 100, clusterFailure: 50, clusterCleanup: 300, workRetry: 40 },
  })
  federation = await raise(sandbox)
  api = federation.api
  c2 = await adminOf(sandbox.cluster('c2'))
  c3 = await adminOf(sandbox.cluster('c3'))
  await api.post('/api/v1/namespaces', namespace('shop'))
})
afterAll(() => sandbox.close())

/** Every test begins with two members and a Deployment on both. */
beforeEach(async () => {
  for (const name of ['c2', 'c3']) {
    if ((await api.get(`${clusters}/${name}`)).status === 404) {
      for (const secret of [name, `${name}-impersonator`])
        await api.del(`/api/v1/namespaces/karmada-cluster/secrets/${secret}`)
      await join(sandbox, federation, name)
    }
    await api.until(`${clusters}/${name}`, isReady('True'))
  }
  for (const member of [c2, c3]) await member.del(apps)
  await api.del(apps)
  await api.until(apps, r => r.body.items.length === 0)
  await api.until('/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings', r => r.body.items.length === 0)
  await api.post(apps, deployment('web', 2))
  await api.apply(`${policies}/web`, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'web' },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
      placement: { clusterAffinity: { clusterNames: ['c2', 'c3'] } },
    },
  })
  for (const member of [c2, c3]) await member.until(`${apps}/web`, r => r.body.status?.readyReplicas === 2)
})

test('a member with good credentials becomes Ready, with its own status', async () => {
  const { body } = await api.get(`${clusters}/c2`)
  expect(condition({ status: 200, headers: {}, body }, 'Ready')).toMatchObject({
    reason: 'ClusterReady',
    message: 'cluster is healthy and ready to accept workloads',
  })
  expect(body).toMatchObject({
    metadata: { finalizers: ['karmada.io/cluster-controller'] },
    status: { kubernetesVersion: 'v1.34.10', nodeSummary: { totalNum: 2, readyNum: 2 } },
  })
  expect(body.spec.resourceModels).toHaveLength(9)
  expect(body.spec.taints).toBeUndefined()
  expect(condition({ status: 200, headers: {}, body }, 'CompleteAPIEnablements')?.status).toBe('True')
  expect((await api.get('/api/v1/namespaces/karmada-es-c2')).body.metadata.labels['karmada.io/system']).toBe('true')
  expect((await c2.get(`${rbac}/clusterroles/karmada-impersonator`)).body.rules[0].verbs).toEqual(['impersonate'])
})

test('propagated objects arrive with their namespace and Karmada’s marks, and their status is returned', async () => {
  const { body } = await c2.get(`${apps}/web`)
  expect(body.metadata.labels).toMatchObject({
    'karmada.io/managed': 'true',
    'work.karmada.io/permanent-id': expect.any(String),
    'propagationpolicy.karmada.io/permanent-id': expect.any(String),
    'resourcebinding.karmada.io/permanent-id': expect.any(String),
  })
  expect(body.metadata.annotations).toMatchObject({
    'work.karmada.io/namespace': 'karmada-es-c2',
    'work.karmada.io/conflict-resolution': 'abort',
    'resourcetemplate.karmada.io/uid': (await api.get(`${apps}/web`)).body.metadata.uid,
  })
  expect((await c2.get('/api/v1/namespaces/shop')).body.metadata.labels['karmada.io/managed']).toBe('true')
  await api.until(`${apps}/web`, r => r.body.status?.readyReplicas === 4)
  const list = (await api.get(works('c2'))).body.items
  expect(
    list.every(
      (w: { metadata: { finalizers: string[] } }) => w.metadata.finalizers[0] === 'karmada.io/execution-controller',
    ),
  ).toBe(true)
  expect(
    list.filter((w: { metadata: { name: string } }) => w.metadata.name.startsWith('karmada-impersonator-')),
  ).toHaveLength(2)
  const binding = await api.get('/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/web-deployment')
  expect(condition(binding, 'Scheduled')?.status).toBe('True')
  expect(binding.body.spec.clusters).toEqual([
    { name: 'c2', replicas: 2 },
    { name: 'c3', replicas: 2 },
  ])
  await api.until(
    '/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/web-deployment',
    r => condition(r, 'FullyApplied')?.status === 'True',
  )
})

test('replicas are divided when the policy says so, and templates that change are sent again', async () => {
  await api.patch(`${policies}/web`, 'merge', {
    spec: { placement: { replicaScheduling: { replicaSchedulingType: 'Divided' } } },
  })
  await c2.until(`${apps}/web`, r => r.body.spec.replicas === 1)
  await api.patch(`${apps}/web`, 'merge', { spec: { replicas: 4 } })
  for (const member of [c2, c3]) await member.until(`${apps}/web`, r => r.body.spec.replicas === 2)
  await api.patch(`${policies}/web`, 'merge', { spec: { placement: { replicaScheduling: null } } })
})

test('the proxy impersonates the user on the member', async () => {
  const { body } = await api.get(`${clusters}/c2/proxy/api/v1/namespaces/kube-system`)
  expect(body.metadata.uid).toBe((await c2.get('/api/v1/namespaces/kube-system')).body.metadata.uid)
})

test('a member that stops answering is not Ready after a while, and Ready again when it is back', async () => {
  await sandbox.cluster('c3').stop()
  const reply = await api.until(`${clusters}/c3`, isReady('False'))
  expect(condition(reply, 'Ready')).toMatchObject({
    reason: 'ClusterNotReachable',
    message: 'cluster is not reachable',
  })
  await api.until(`${clusters}/c3`, r => r.body.spec.taints?.[0]?.key === 'cluster.karmada.io/not-ready')
  await sandbox.cluster('c3').start()
  await api.until(`${clusters}/c3`, isReady('True'))
})

test('a member that answers but is unhealthy is distinguished', async () => {
  const fault = sandbox
    .cluster('c3')
    .faults.order({ path: /readyz/, times: Number.POSITIVE_INFINITY, effect: { kind: 'answer', status: 500 } })
  const reply = await api.until(`${clusters}/c3`, isReady('False'))
  expect(condition(reply, 'Ready')?.reason).toBe('ClusterNotReady')
  fault.remove()
  await api.until(`${clusters}/c3`, isReady('True'))
})

test('wrong or missing credentials show in the reason', async () => {
  const secret = '/api/v1/namespaces/karmada-cluster/secrets/c3'
  const { body: good } = await api.get(secret)
  await api.patch(secret, 'merge', { data: { token: Buffer.from('nonsense').toString('base64') } })
  const revoked = await api.until(`${clusters}/c3`, isReady('False'))
  expect(condition(revoked, 'Ready')?.reason).toBe('ClusterNotReachable')
  await api.patch(secret, 'merge', { data: good.data })
  await api.until(`${clusters}/c3`, isReady('True'))
  const other = Buffer.from(sandbox.cluster('c2').caCertificate).toString('base64')
  await api.patch(secret, 'merge', { data: { caBundle: other } })
  await api.until(`${clusters}/c3`, isReady('False'))
  await api.patch(secret, 'merge', { data: { ...good.data, token: null } })
  await api.until(`${clusters}/c3`, r => condition(r, 'Ready')?.reason === 'StatusCollectionFailed')
  await api.patch(secret, 'merge', { data: good.data })
  await api.until(`${clusters}/c3`, isReady('True'))
})

test('invalid names are refused', async () => {
  const spec = { syncMode: 'Push', apiEndpoint: 'https://x' }
  const long = await api.post(clusters, { kind: 'Cluster', metadata: { name: 'a'.repeat(49) }, spec })
  expect(long).toMatchObject({ status: 422, body: { details: { causes: [{ field: 'metadata.name' }] } } })
  expect((await api.post(clusters, { kind: 'Cluster', metadata: { name: 'a' }, spec: {} })).body.message).toContain(
    'spec.syncMode',
  )
})

test('plain unjoin deletes the workloads and their namespaces', async () => {
  await api.del(`${clusters}/c2`)
  await api.until(`${clusters}/c2`, r => r.status === 404)
  expect((await c2.get(`${apps}/web`)).status).toBe(404)
  await c2.until('/api/v1/namespaces/shop', r => r.status === 404)
  expect((await api.get('/api/v1/namespaces/karmada-es-c2')).status).toBe(404)
  expect((await c3.get(`${apps}/web`)).body.status.readyReplicas).toBe(2)
})

/** The role that allows the control plane everything but deletions. */
const fence = (member: Client, name: string) =>
  member.patch(`${rbac}/clusterroles/${encodeURIComponent(memberRole(name))}`, 'merge', {
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch', 'create', 'update', 'patch'] },
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['clusterroles', 'clusterrolebindings'],
        verbs: ['escalate', 'bind'],
      },
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['clusterroles', 'clusterrolebindings'],
        resourceNames: ['karmada-impersonator'],
        verbs: ['delete'],
      },
      { nonResourceURLs: ['*'], verbs: ['get'] },
    ],
  })
const preserve = async (name: string) => {
  for (const { metadata } of (await api.get(works(name))).body.items) {
    if (metadata.name.startsWith('karmada-impersonator-')) continue
    await api.patch(`${works(name)}/${metadata.name}`, 'merge', { spec: { preserveResourcesOnDeletion: true } })
  }
}
const kept = async (member: Client, uid: string) => {
  const { body } = await member.get(`${apps}/web`)
  expect(body.metadata.uid).toBe(uid)
  expect(Object.keys(body.metadata.labels ?? {})).toEqual([])
  expect(body.metadata.annotations).toMatchObject({ 'work.karmada.io/conflict-resolution': 'abort' })
  expect(body.metadata.annotations['work.karmada.io/name']).toBeUndefined()
  expect(body.status.readyReplicas).toBe(2)
  expect((await member.get(`${rbac}/clusterroles/karmada-impersonator`)).status).toBe(404)
}
const clear = async (member: Client, name: string) => {
  await member.del(`${rbac}/clusterroles/${encodeURIComponent(memberRole(name))}`)
  await member.del('/api/v1/namespaces/shop')
  await member.until('/api/v1/namespaces/shop', r => r.status === 404)
}

test('fence, preserve, delete, poke: the workloads stay and lose Karmada’s marks', async () => {
  const { uid } = (await c2.get(`${apps}/web`)).body.metadata
  await fence(c2, 'c2')
  await preserve('c2')
  await api.del(`${clusters}/c2`)
  await api.del(works('c2'))
  await api.until('/api/v1/namespaces/karmada-es-c2', r => r.status === 404)
  await api.patch(`${clusters}/c2`, 'merge', { metadata: { annotations: { poke: '1' } } })
  await api.until(`${clusters}/c2`, r => r.status === 404)
  await kept(c2, uid)
  await clear(c2, 'c2')
})

test('with the fence a lost race only waits: nothing is deleted, and preserving later ends it', async () => {
  const { uid } = (await c2.get(`${apps}/web`)).body.metadata
  await fence(c2, 'c2')
  await api.del(`${clusters}/c2`)
  const marked = (r: { body: { items: { metadata: { name: string; deletionTimestamp?: string } }[] } }) =>
    r.body.items.find(w => w.metadata.name.startsWith('web-'))?.metadata.deletionTimestamp !== undefined
  await api.until(works('c2'), marked)
  const refused = () =>
    sandbox
      .cluster('c2')
      .log.all()
      .some(e => e.method === 'DELETE' && e.url.endsWith('/web') && e.status === 403)
  await api.until(works('c2'), refused)
  expect((await c2.get(`${apps}/web`)).body.metadata.uid).toBe(uid)
  expect((await api.get(`${clusters}/c2`)).status).toBe(200)
  await preserve('c2')
  await api.until(`${clusters}/c2`, r => r.status === 404)
  await kept(c2, uid)
  await clear(c2, 'c2')
})

test('without the fence there is a race: the controllers overwrite the preserved state', async () => {
  await preserve('c3')
  await api.patch(`${apps}/web`, 'merge', { spec: { template: { spec: { terminationGracePeriodSeconds: 5 } } } })
  const [work] = (await api.get(works('c3'))).body.items.filter((w: { metadata: { name: string } }) =>
    w.metadata.name.startsWith('web-'),
  )
  await api.until(`${works('c3')}/${work.metadata.name}`, r => r.body.spec.preserveResourcesOnDeletion === undefined)
})

test('an unreachable member leaves at once, and keeps its objects', async () => {
  await sandbox.cluster('c3').stop()
  await api.until(`${clusters}/c3`, isReady('False'))
  await api.del(`${clusters}/c3`)
  await api.until(`${clusters}/c3`, r => r.status === 404)
  await sandbox.cluster('c3').start()
  expect((await c3.get(`${apps}/web`)).body.metadata.labels['karmada.io/managed']).toBe('true')
  await c3.del(`${rbac}/clusterroles/${encodeURIComponent(memberRole('c3'))}`)
})

test('existing objects on the member are not taken over, unless the policy says so', async () => {
  await api.del(apps)
  const binding = '/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/web-deployment'
  for (const [where, what] of [
    [c2, `${apps}/web`],
    [api, `${apps}/web`],
    [api, binding],
  ] as const) {
    await where.until(what, r => r.status === 404)
  }
  await c2.post(apps, deployment('web', 1))
  await api.post(apps, deployment('web', 2))
  const failed = await api.until(binding, r =>
    r.body.status?.aggregatedStatus?.some(
      (s: { clusterName: string; appliedMessage?: string }) => s.clusterName === 'c2' && s.appliedMessage,
    ),
  )
  expect(JSON.stringify(failed.body.status)).toContain('Karmada will not manage this resource')
  expect((await c2.get(`${apps}/web`)).body.spec.replicas).toBe(1)
  await api.patch(`${policies}/web`, 'merge', { spec: { conflictResolution: 'Overwrite' } })
  await c2.until(
    `${apps}/web`,
    r => r.body.spec.replicas === 2 && r.body.metadata.labels['karmada.io/managed'] === 'true',
  )
})
