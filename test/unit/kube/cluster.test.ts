import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectCluster } from '../../../src/kube/access/connect.ts'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { adminAccess, configMap, connectAdmin, connectOptions, failureOf, namespaceObject } from '../../support/kube.ts'

let sandbox: KubeSandbox
let api: ClusterApi
const ns = 'kp-cluster'
const map = (name: string, data: Record<string, string> = {}) => configMap(name, ns, data)
const ref = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace: ns })

beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  api = await connectAdmin(sandbox.host)
  await api.create(namespaceObject(ns))
})
afterAll(() => sandbox.close())

const writes = (name: string) =>
  sandbox.host.log
    .writes()
    .filter(w => w.url.includes(`/configmaps`) && w.processed && (w.url.includes(name) || w.method === 'POST'))

describe('objects', () => {
  test('what is not there is undefined, and deleting it is no failure', async () => {
    expect(await api.get(ref('none'))).toBeUndefined()
    expect(await api.exists(ref('none'))).toBe(false)
    expect(await api.delete(ref('none'))).toBe(false)
  })

  test('apply makes and changes; many are read in a list that knows their kind', async () => {
    expect((await api.apply(map('a', { k: '1' }))).result).toBe('created')
    expect((await api.apply(map('a', { k: '2' }))).result).toBe('configured')
    expect((await api.get(ref('a')))?.data).toEqual({ k: '2' })
    const { items, resourceVersion } = await api.list({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: ns })
    expect(items.find(i => i.metadata.name === 'a')).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' })
    expect(resourceVersion).toMatch(/^\d+$/)
  })

  test('a dry run stores nothing', async () => {
    await api.apply(map('dry'), { dryRun: true })
    expect(await api.exists(ref('dry'))).toBe(false)
  })

  test('a field that somebody else has set is not taken from him, and he is named', async () => {
    await api.apply(map('theirs', { k: 'ours' }))
    const kubectl = await connectAdmin(sandbox.host)
    await kubectl.raw({
      method: 'PATCH',
      path: `/api/v1/namespaces/${ns}/configmaps/theirs`,
      query: { fieldManager: 'kubectl-edit' },
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ data: { k: 'theirs' } }),
    })
    const error = await failureOf(api.apply(map('theirs', { k: 'ours' })))
    expect(error.message).toContain('the API server of "host" refuses to apply ConfigMap kp-cluster/theirs')
    expect(error.message).toContain('.data.k (kubectl-edit)')
    expect(error.hint).toContain('kubectl-edit')
    expect(error.exitCode).toBe(5)
    expect((await api.apply(map('theirs', { k: 'ours' }), { force: true })).object.data).toEqual({ k: 'ours' })
  })

  test('what we once made by POST is no stranger to us when we apply it', async () => {
    await api.create(map('mine', { k: '1' }))
    expect((await api.apply(map('mine', { k: '2' }))).object.data).toEqual({ k: '2' })
  })

  test('of two that change one version, the second is refused', async () => {
    const first = await api.create(map('raced', { k: '1' }))
    await api.update({ ...first, data: { k: '2' } })
    const error = await failureOf(api.update({ ...first, data: { k: '3' } }))
    expect(error.exitCode).toBe(5)
    expect(error.hint).toContain('run this again')
  })
})

describe('a lost answer', () => {
  const lose = (method: string, name: RegExp) =>
    sandbox.host.faults.order({ method, path: name, effect: { kind: 'reset-after' }, times: 1 })

  test('to a create is settled by looking: it is made once', async () => {
    lose('POST', /configmaps/)
    const made = await api.create(map('lost-create', { run: 'x1' }))
    expect(made.data).toEqual({ run: 'x1' })
    const all = await api.list(
      { apiVersion: 'v1', kind: 'ConfigMap' },
      { namespace: ns, fields: 'metadata.name=lost-create' },
    )
    expect(all.items).toHaveLength(1)
  })

  test('to a create that another was faster with is a conflict', async () => {
    await api.create(map('lost-race', { run: 'theirs' }))
    lose('POST', /configmaps/)
    expect((await failureOf(api.create(map('lost-race', { run: 'ours' })))).exitCode).toBe(5)
  })

  test('to a create that never arrived is sent again', async () => {
    sandbox.host.faults.order({ method: 'POST', path: /configmaps/, effect: { kind: 'reset-before' }, times: 1 })
    expect((await api.create(map('never-came', { run: 'x2' }))).data).toEqual({ run: 'x2' })
  })

  test('to a change or a delete is no failure', async () => {
    const made = await api.create(map('lost-put', { k: '1' }))
    lose('PUT', /lost-put/)
    expect((await api.update({ ...made, data: { k: '2' } })).data).toEqual({ k: '2' })
    lose('PATCH', /lost-put/)
    expect((await api.apply(map('lost-put', { k: '2', l: '3' }))).object.data).toEqual({ k: '2', l: '3' })
    lose('DELETE', /lost-put/)
    expect(await api.delete(ref('lost-put'))).toBe(true)
    expect(await api.exists(ref('lost-put'))).toBe(false)
    expect(writes('lost-put').filter(w => w.method === 'PUT')).toHaveLength(1)
  })
})

describe('refusals', () => {
  test('a right that is missing is named, with whose and where', async () => {
    const token = sandbox.host.staticToken('joe')
    const joe = connectCluster(
      { ...(await adminAccess(sandbox.host)), cert: undefined, key: undefined, user: { token } },
      connectOptions(),
    )
    const error = await failureOf(joe.list({ apiVersion: 'v1', kind: 'Secret' }, { namespace: ns }))
    expect(error.message).toBe(`the API server of "host" does not let "joe" list secrets in namespace "${ns}"`)
    expect(error.exitCode).toBe(4)
    expect(error.details).toMatchObject({ status: 403, missing: { verb: 'list', resource: 'secrets' } })
    expect(await joe.canI([{ verb: 'list', resource: 'secrets', namespace: ns }])).toEqual([false])
  })

  test('an administrator is asked one question about many rights', async () => {
    const before = sandbox.host.log.all().length
    const questions = ['get', 'list', 'create', 'delete'].map(verb => ({ verb, resource: 'secrets', namespace: ns }))
    expect(await api.canI(questions)).toEqual([true, true, true, true])
    expect(sandbox.host.log.all().length - before).toBe(1)
  })

  test('credentials that nobody knows are exit 4', async () => {
    const access = { ...(await adminAccess(sandbox.host)), cert: undefined, key: undefined, user: { token: 'nobody' } }
    const error = await failureOf(connectCluster(access, connectOptions()).list({ apiVersion: 'v1', kind: 'Pod' }))
    expect(error.message).toContain('does not accept the credentials')
    expect(error.exitCode).toBe(4)
  })

  test('what is wrong with an object is told field by field', async () => {
    const bad = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'bad', namespace: ns }, spec: {} }
    const error = await failureOf(api.apply(bad))
    expect(error.message).toMatch(/refuses to apply Deployment kp-cluster\/bad: .*spec\.selector: Required value/)
  })

  test('a kind that is not served is told as that', async () => {
    const error = await failureOf(api.list({ apiVersion: 'no.where/v1', kind: 'Thing' }))
    expect(error.message).toBe('the API server of "host" has no kind Thing in no.where/v1')
    expect(await api.serves({ apiVersion: 'no.where/v1', kind: 'Thing' })).toBe(false)
    expect(await api.serves({ apiVersion: 'apps/v1', kind: 'Deployment' })).toBe(true)
  })
})

test('a cluster is known by the uid of kube-system, asked for once', async () => {
  const uid = await api.identity()
  const before = sandbox.host.log.all().length
  expect(await api.identity()).toBe(uid)
  expect(uid).toMatch(/^[0-9a-f-]{36}$/)
  expect(sandbox.host.log.all().length).toBe(before)
})
