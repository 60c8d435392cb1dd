import { afterEach, expect, test } from 'vitest'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import {
  clusters,
  commands,
  isUp,
  makePki,
  mutating,
  prepare,
  raise,
  secret,
  space,
  start,
  workloads,
} from './blueprint.ts'
import { adminOf, anonymous, type Client, clientOf, condition } from './client.ts'

let sandbox: KubeSandbox | undefined
afterEach(async () => {
  await sandbox?.close()
  sandbox = undefined
})

const pods = `/api/v1/namespaces/${space}/pods`
const lastWords = async (host: Client, app: string): Promise<string> => {
  const died = (r: {
    body: { items: { status?: { containerStatuses?: { lastState: { terminated?: { message: string } } }[] } }[] }
  }) => r.body.items[0]?.status?.containerStatuses?.[0]?.lastState.terminated?.message
  return died(await host.until(`${pods}?labelSelector=app%3D${app}`, r => died(r) !== undefined)) ?? ''
}
const serve = async (host: Client, ...names: string[]) => {
  for (const name of names) await start(host, name)
  for (const name of names) await isUp(host, name)
}

test('an applied control plane answers at its node port, with its certificates', async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  const { api, url, pki } = await raise(sandbox)
  expect((await api.get('/version')).body.gitVersion).toBe('v1.35.2')
  expect((await api.get(clusters)).body).toMatchObject({ kind: 'ClusterList', items: [] })
  expect((await api.get('/apis/policy.karmada.io/v1alpha1/propagationpolicies')).body.items).toEqual([])
  const policy = {
    kind: 'PropagationPolicy',
    metadata: { name: 'p' },
    spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }] },
  }
  const dry = await api.post(
    '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies?dryRun=All',
    policy,
  )
  expect(dry.body.metadata.labels).toHaveProperty(['propagationpolicy.karmada.io/permanent-id'])

  const stranger = clientOf({ url, ca: sandbox.host.caCertificate })
  await expect(stranger.get('/readyz')).rejects.toThrow()
  const hostAdmin = await sandbox.host.clientCertificate('admin', ['system:masters'])
  expect((await clientOf({ url, ca: pki.ca, credentials: hostAdmin }).get('/api/v1/namespaces')).status).toBe(401)
  expect((await clientOf({ url, ca: pki.ca }).get('/api/v1/namespaces')).status).toBe(403)
})

test('its data lives as long as the claim, not only as long as its pods', async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  const { host, pki, url } = await prepare(sandbox)
  await serve(host, 'etcd', 'karmada-apiserver')
  const api = clientOf({ url, ca: pki.ca, credentials: pki.admin })
  await api.post('/api/v1/namespaces', { kind: 'Namespace', metadata: { name: 'kept' } })
  const fall = async () => {
    await host.del(`${workloads}/deployments/karmada-apiserver`)
    await host.del(`${workloads}/statefulsets/etcd`)
    await host.until(pods, r => r.body.items.length === 0)
  }
  await fall()
  await expect(clientOf({ url, ca: pki.ca }).get('/readyz')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await serve(host, 'etcd', 'karmada-apiserver')
  await api.until('/api/v1/namespaces/kept', r => r.status === 200)
  await fall()
  await host.del(`/api/v1/namespaces/${space}/persistentvolumeclaims/data-etcd-0`)
  await host.until(`/api/v1/namespaces/${space}/persistentvolumeclaims/data-etcd-0`, r => r.status === 404)
  await serve(host, 'etcd', 'karmada-apiserver')
  expect((await api.get('/api/v1/namespaces/kept')).status).toBe(404)
})

test('wrong certificates keep the components from starting, and the log says why', async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  const { host, pki } = await prepare(sandbox)
  const foreign = await makePki('127.0.0.1')
  const replace = (name: string, files: Record<string, string>) =>
    host.put(`/api/v1/namespaces/${space}/secrets/${name}`, secret(name, { ...pki.secrets[name], ...files }))
  await serve(host, 'etcd')

  await replace('karmada-apiserver', { 'tls.key': foreign.secrets['karmada-apiserver']?.['tls.key'] ?? '' })
  await start(host, 'karmada-apiserver')
  expect(await lastWords(host, 'karmada-apiserver')).toContain('tls: private key does not match public key')
  await replace('karmada-apiserver', { 'etcd-ca.crt': foreign.secrets.etcd?.['etcd-ca.crt'] ?? '' })
  await host.until(pods, r => JSON.stringify(r.body).includes('certificate signed by unknown authority'))
  await replace('karmada-apiserver', {})
  await isUp(host, 'karmada-apiserver') // it restarts repeatedly, and finds its files repaired

  await replace('karmada-scheduler', { 'ca.crt': foreign.ca })
  await start(host, 'karmada-scheduler')
  expect(await lastWords(host, 'karmada-scheduler')).toMatch(/tls: failed to verify certificate/)
  await start(host, 'karmada-webhook', [
    ...(commands['karmada-webhook'] as string[]).slice(0, -1),
    '--cert-dir=/nowhere',
  ])
  expect(await lastWords(host, 'karmada-webhook')).toBe('open /nowhere/tls.crt: no such file or directory')
  const [pod] = (await host.get(`${pods}?labelSelector=app%3Dkarmada-webhook`)).body.items
  expect((await host.get(`${pods}/${pod.metadata.name}/log`)).body).toContain('/nowhere/tls.crt')
})

test('an API server waits for its etcd', async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  const { host } = await prepare(sandbox)
  await start(host, 'karmada-apiserver')
  await host.until(`${pods}?labelSelector=app%3Dkarmada-apiserver`, r => r.body.items[0]?.status?.phase === 'Running')
  expect((await host.get(`${workloads}/deployments/karmada-apiserver`)).body.status.readyReplicas).toBeUndefined()
  await start(host, 'etcd')
  await isUp(host, 'karmada-apiserver')
})

test('the components also find each other by bare names, which a pod’s resolver completes', async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  const { host } = await prepare(sandbox)
  await start(host, 'etcd')
  const command = (commands['karmada-apiserver'] as string[]).map(word =>
    word.startsWith('--etcd-servers') ? `--etcd-servers=https://etcd-client.${space}:2379` : word,
  )
  await start(host, 'karmada-apiserver', command)
  // the name is resolved, but it is not in the certificate
  const words = await lastWords(host, 'karmada-apiserver')
  expect(words).toContain(`x509: certificate is valid for etcd-client.${space}.svc`)
  expect(words).toContain(`not etcd-client.${space}`)
})

test('three members of etcd need each other: started one after the other they never become ready', async () => {
  sandbox = await startKubeSandbox({ members: 0, host: { nodes: 3 } })
  const { host } = await prepare(sandbox)
  const names = ['etcd-0', 'etcd-1', 'etcd-2']
  const peers = names.map(name => `${name}=https://${name}.etcd.${space}.svc:2380`).join(',')
  const command = [...(commands.etcd as string[]), `--initial-cluster=${peers}`]
  const headless = {
    clusterIP: 'None',
    selector: { app: 'etcd' },
    ports: [{ port: 2380 }],
    publishNotReadyAddresses: true,
  }
  await host.post(`/api/v1/namespaces/${space}/services`, {
    kind: 'Service',
    metadata: { name: 'etcd' },
    spec: headless,
  })
  await start(host, 'etcd', command)
  await host.patch(`${workloads}/statefulsets/etcd`, 'merge', { spec: { replicas: 3 } })
  await host.until(`${pods}/etcd-0`, r => r.body.status?.phase === 'Running')
  expect((await host.get(`${pods}/etcd-1`)).status).toBe(404)
  await host.del(`${workloads}/statefulsets/etcd`)
  await host.until(pods, r => r.body.items.length === 0)
  const { body: parallel } = await host.post(
    `${workloads}/statefulsets?dryRun=All`,
    (await import('./blueprint.ts')).workload('etcd', command),
  )
  await host.post(`${workloads}/statefulsets`, {
    ...parallel,
    spec: { ...parallel.spec, replicas: 3, podManagementPolicy: 'Parallel' },
  })
  await host.until(`${workloads}/statefulsets/etcd`, r => r.body.status?.readyReplicas === 3)
})

test('clusters are served only while the aggregated API server is', async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  const { api, host } = await raise(sandbox)
  await host.del(`${workloads}/deployments/karmada-aggregated-apiserver`)
  const service = '/apis/apiregistration.k8s.io/v1/apiservices/v1alpha1.cluster.karmada.io'
  const reply = await api.until(service, r => condition(r, 'Available')?.status === 'False')
  expect(condition(reply, 'Available')).toMatchObject({ reason: 'FailedDiscoveryCheck' })
  expect(await api.get(clusters)).toMatchObject({
    status: 503,
    body: { reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request' },
  })
  await start(host, 'karmada-aggregated-apiserver')
  await api.until(clusters, r => r.status === 200)
})

test('a webhook configuration with another CA’s bundle blocks its objects', async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  const { api } = await raise(sandbox)
  const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/mutating-config'
  await api.put(path, mutating(sandbox.host.caCertificate))
  const blocked = await api.post('/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies', {
    kind: 'PropagationPolicy',
    metadata: { name: 'p' },
    spec: { resourceSelectors: [] },
  })
  expect(blocked.status).toBe(500)
  expect(blocked.body.message).toContain('x509: certificate signed by unknown authority')
})

test('the host’s own API does not answer at the port', async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  const { api } = await raise(sandbox)
  expect((await api.get('/api/v1/nodes')).body.items).toEqual([])
  const [a, b] = [
    await api.get('/api/v1/namespaces/kube-system'),
    await (await adminOf(sandbox.host)).get('/api/v1/namespaces/kube-system'),
  ]
  expect(a.body.metadata.uid).not.toBe(b.body.metadata.uid)
  expect((await anonymous(sandbox.host).get('/readyz')).body).toBe('ok')
})
