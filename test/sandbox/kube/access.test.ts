import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { adminOf, anonymous, type Client, clientOf, configMap, namespace, tokenClient } from './client.ts'

let sandbox: KubeSandbox
let api: Client
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const role = (name: string, rules: object[]) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name },
  rules,
})
const binding = (name: string, to: string, subjects: object[]) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: to },
  subjects,
})
const user = (name: string) => tokenClient(sandbox.host, sandbox.host.staticToken(name))

beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 1 })
  api = await adminOf(sandbox.host)
  await api.post('/api/v1/namespaces', namespace('shop'))
})
afterAll(() => sandbox.close())

test('authenticates users by their client certificates', async () => {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const { body } = await api.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', review)
  expect(body.status.userInfo).toMatchObject({ username: 'admin', groups: ['system:masters', 'system:authenticated'] })
})

test('a certificate by another CA, or an invalid token, is 401', async () => {
  const [member] = sandbox.members
  const credentials = await member?.clientCertificate('admin', ['system:masters'])
  const stranger = clientOf({ url: sandbox.host.url, ca: sandbox.host.caCertificate, credentials })
  const expected = { status: 401, body: { kind: 'Status', reason: 'Unauthorized', message: 'Unauthorized', code: 401 } }
  expect(await stranger.get('/api/v1/namespaces')).toMatchObject(expected)
  expect(await tokenClient(sandbox.host, 'abc').get('/version')).toMatchObject(expected)
})

test('an anonymous user may see versions and health, and nothing else', async () => {
  const nobody = anonymous(sandbox.host)
  expect((await nobody.get('/version')).status).toBe(200)
  expect((await nobody.get('/readyz')).status).toBe(200)
  expect(await nobody.get('/api/v1/namespaces')).toMatchObject({
    status: 403,
    body: {
      reason: 'Forbidden',
      message:
        'namespaces is forbidden: User "system:anonymous" cannot list resource "namespaces" in API group "" at the cluster scope',
      details: { kind: 'namespaces' },
    },
  })
})

test('a client that does not trust the CA sends no request', async () => {
  const suspicious = clientOf({ url: sandbox.host.url, ca: sandbox.members[0]?.caCertificate ?? '' })
  await expect(suspicious.get('/version')).rejects.toThrow(/certificate|issuer|signature/)
})

test('refusals name user, verb, resource, group and place', async () => {
  const viewer = user('vera')
  const texts = await Promise.all([
    viewer.get('/api/v1/namespaces/x/configmaps/y'),
    viewer.post('/apis/apps/v1/namespaces/x/deployments', { metadata: { name: 'a' } }),
    viewer.get('/metrics'),
  ])
  expect(texts.map(t => t.body.message)).toEqual([
    'configmaps "y" is forbidden: User "vera" cannot get resource "configmaps" in API group "" in the namespace "x"',
    'deployments.apps is forbidden: User "vera" cannot create resource "deployments" in API group "apps" in the namespace "x"',
    'forbidden: User "vera" cannot get path "/metrics"',
  ])
})

test('rights come from roles, in the complete cluster, in one namespace, or for one name', async () => {
  await api.post(
    `${rbac}/clusterroles`,
    role('one-map', [
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['mine'], verbs: ['get', 'update'] },
    ]),
  )
  await api.post(`${rbac}/namespaces/shop/rolebindings`, {
    ...binding('one-map', 'one-map', [{ kind: 'User', name: 'nina' }]),
    kind: 'RoleBinding',
    metadata: { name: 'one-map' },
  })
  const nina = user('nina')
  await api.post('/api/v1/namespaces/shop/configmaps', configMap('mine', {}))
  expect((await nina.get('/api/v1/namespaces/shop/configmaps/mine')).status).toBe(200)
  expect((await nina.get('/api/v1/namespaces/shop/configmaps/other')).status).toBe(403)
  expect((await nina.get('/api/v1/namespaces/default/configmaps/mine')).status).toBe(403)
  expect((await nina.del('/api/v1/namespaces/shop/configmaps/mine')).status).toBe(403)
  const ask = (verb: string, name: string) =>
    nina.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb, resource: 'configmaps', namespace: 'shop', name } },
    })
  expect((await ask('get', 'mine')).body.status).toEqual({ allowed: true })
  expect((await ask('delete', 'mine')).body.status.allowed).toBe(false)
  const rules = await nina.post('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectRulesReview',
    spec: { namespace: 'shop' },
  })
  expect(rules.body.status.resourceRules).toContainEqual({
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: ['mine'],
    verbs: ['get', 'update'],
  })
})

test('users cannot grant rights that they do not have, unless they may escalate or bind', async () => {
  const manage = [
    {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['clusterroles', 'clusterrolebindings'],
      verbs: ['create', 'get'],
    },
  ]
  await api.post(`${rbac}/clusterroles`, role('rolemaker', manage))
  await api.post(`${rbac}/clusterrolebindings`, binding('rolemaker', 'rolemaker', [{ kind: 'User', name: 'rob' }]))
  const rob = user('rob')
  const greedy = await rob.post(
    `${rbac}/clusterroles`,
    role('greedy', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]),
  )
  expect(greedy.status).toBe(403)
  expect(greedy.body.message).toContain(
    'is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
  )
  expect((await rob.post(`${rbac}/clusterroles`, role('humble', manage))).status).toBe(201)
  const bound = await rob.post(
    `${rbac}/clusterrolebindings`,
    binding('greedy', 'cluster-admin', [{ kind: 'User', name: 'rob' }]),
  )
  expect(bound.status).toBe(403)
})

test('service accounts get tokens: in a Secret, and by request', async () => {
  const accounts = '/api/v1/namespaces/shop/serviceaccounts'
  await api.post(accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'bot' } })
  await api.post('/api/v1/namespaces/shop/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/service-account-token',
    metadata: { name: 'bot-token', annotations: { 'kubernetes.io/service-account.name': 'bot' } },
  })
  const { body } = await api.until('/api/v1/namespaces/shop/secrets/bot-token', r => r.body.data?.token !== undefined)
  const text = (key: string) => Buffer.from(body.data[key], 'base64').toString()
  expect(text('ca.crt')).toBe(sandbox.host.caCertificate)
  expect(text('namespace')).toBe('shop')
  const bot = tokenClient(sandbox.host, text('token'))
  expect((await bot.get('/api/v1/namespaces')).body.message).toContain(
    'User "system:serviceaccount:shop:bot" cannot list',
  )
  await api.post(
    `${rbac}/clusterrolebindings`,
    binding('bot', 'view', [{ kind: 'ServiceAccount', namespace: 'shop', name: 'bot' }]),
  )
  expect((await bot.get('/api/v1/namespaces')).status).toBe(200)

  const requested = await api.post(`${accounts}/bot/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 600 },
  })
  expect((await tokenClient(sandbox.host, requested.body.status.token).get('/api/v1/namespaces')).status).toBe(200)

  // a member's token is invalid on another cluster, and once its Secret is gone
  expect((await tokenClient(sandbox.members[0] as never, text('token')).get('/api/v1/namespaces')).status).toBe(401)
  await api.del('/api/v1/namespaces/shop/secrets/bot-token')
  expect((await bot.get('/api/v1/namespaces')).status).toBe(401)
})
