import { afterEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { adminOf, clientOf, configMap, deployment, namespace } from './client.ts'

let sandbox: KubeSandbox | undefined
afterEach(async () => {
  await sandbox?.close()
  sandbox = undefined
})

test('a hundred members start in a moment, each as a separate cluster', async () => {
  const before = Date.now()
  sandbox = await startKubeSandbox({ members: 100 })
  expect(Date.now() - before).toBeLessThan(20_000)
  const ids = await Promise.all(
    sandbox.members.map(
      async member => (await (await adminOf(member)).get('/api/v1/namespaces/kube-system')).body.metadata.uid,
    ),
  )
  expect(new Set(ids).size).toBe(100)
  expect(new Set(sandbox.members.map(m => m.caCertificate)).size).toBe(100)
})

test('the kubeconfig has a context for each, with credentials that work', async () => {
  sandbox = await startKubeSandbox({ members: 2 })
  const config = parse(sandbox.kubeconfig)
  expect(config['current-context']).toBe('host')
  expect(config.contexts.map((c: { name: string }) => c.name)).toEqual(['host', 'c2', 'c3'])
  const decode = (text: string) => Buffer.from(text, 'base64').toString()
  for (const name of ['host', 'c2', 'c3']) {
    const { cluster } = config.clusters.find((c: { name: string }) => c.name === name)
    const { user } = config.users.find((u: { name: string }) => u.name === `${name}-admin`)
    const client = clientOf({
      url: cluster.server,
      ca: decode(cluster['certificate-authority-data']),
      credentials: { certificate: decode(user['client-certificate-data']), key: decode(user['client-key-data']) },
    })
    expect((await client.get('/api/v1/namespaces')).status).toBe(200)
  }
})

test('a stopped cluster refuses connections, and has all its data when it is back at the same address', async () => {
  sandbox = await startKubeSandbox({ members: 1 })
  const member = sandbox.cluster('c2')
  const api = await adminOf(member)
  await api.post('/api/v1/namespaces/default/configmaps', configMap('kept', { a: '1' }))
  await member.stop()
  await expect((await adminOf(member)).get('/readyz')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await member.start()
  expect((await api.get('/api/v1/namespaces/default/configmaps/kept')).body.data).toEqual({ a: '1' })
})

test('faults affect one cluster, and the log has the requests to each', async () => {
  sandbox = await startKubeSandbox({ members: 1 })
  const { host } = sandbox
  const [api, other] = [await adminOf(host), await adminOf(sandbox.cluster('c2'))]
  host.faults.order({ method: 'GET', path: /configmaps/, effect: { kind: 'answer', status: 503 } })
  expect((await other.get('/api/v1/configmaps')).status).toBe(200)
  expect((await api.get('/api/v1/configmaps')).status).toBe(503)
  expect((await api.get('/api/v1/configmaps')).status).toBe(200)
  await api.post('/api/v1/namespaces?dryRun=All', namespace('dry'))
  await api.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    spec: { resourceAttributes: { verb: 'get' } },
  })
  await api.post('/api/v1/namespaces', namespace('wet'))
  expect(host.log.writes().map(w => `${w.method} ${w.url} ${w.status}`)).toEqual(['POST /api/v1/namespaces 201'])
  expect(host.log.all()).toHaveLength(5)
})

test('two equal runs leave equal snapshots, and a deletion restores the previous one', async () => {
  const run = async (one: KubeSandbox) => {
    const api = await adminOf(one.host)
    await api.post('/api/v1/namespaces', namespace('shop'))
    await api.post('/apis/apps/v1/namespaces/shop/deployments', deployment('web', 2))
    await api.post('/api/v1/namespaces/shop/secrets', {
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { key: String(Math.random()) },
    })
    await api.until('/apis/apps/v1/namespaces/shop/deployments/web', r => r.body.status?.readyReplicas === 2)
    await api.until(
      '/apis/apps/v1/namespaces/shop/deployments/web',
      r => r.body.status?.conditions?.[1]?.reason === 'NewReplicaSetAvailable',
    )
    return { api, snapshot: one.host.snapshot() }
  }
  sandbox = await startKubeSandbox({ members: 0 })
  const second = await startKubeSandbox({ members: 0 })
  try {
    const clean = second.host.snapshot()
    const [a, b] = [await run(sandbox), await run(second)]
    expect(b.snapshot.find(e => e.key === 'secrets shop/s')?.object.data).toEqual({ key: '***' })
    expect(a.snapshot).toEqual(b.snapshot)
    await b.api.del('/api/v1/namespaces/shop')
    await b.api.until('/api/v1/namespaces/shop', r => r.status === 404)
    const known = new Set(clean.map(e => e.key))
    const left = second.host.snapshot().filter(e => !known.has(e.key) && !/(kube-root-ca.crt|\/default)$/.test(e.key))
    expect(left).toEqual([])
  } finally {
    await second.close()
  }
})

test('latency is added to each answer', async () => {
  sandbox = await startKubeSandbox({ members: 0, latencyMs: 60 })
  const api = await adminOf(sandbox.host)
  const before = performance.now()
  await api.get('/version')
  expect(performance.now() - before).toBeGreaterThanOrEqual(58)
})

test('clusters can be added while it runs', async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  const added = await sandbox.add('prod', { version: 'v1.29.3' })
  expect((await (await adminOf(added)).get('/version')).body).toMatchObject({ minor: '29', gitVersion: 'v1.29.3' })
  expect(sandbox.cluster('prod')).toBe(added)
})
