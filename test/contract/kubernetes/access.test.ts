/** Rights: tokens of service accounts, roles, and the texts of refusals. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import { decoded, type KubeObject, refOf } from '../../../src/kube/api/object.ts'
import { configMap, deploymentObject, failureOf, namespaceObject } from '../../support/kube.ts'
import { belongings, eventually, tokenSecret } from './belongings.ts'
import { target } from './target.ts'

const clusters = await target()
const { host } = clusters
const { api } = host
const ours = belongings(api)
let place: string
let nobody: ClusterApi
const userName = (account: string) => `system:serviceaccount:${place}:${account}`

const rbac = 'rbac.authorization.k8s.io'
const role = (name: string, rules: object[]): KubeObject => ({
  apiVersion: `${rbac}/v1`,
  kind: 'Role',
  metadata: { name, namespace: place },
  rules,
})
const binding = (name: string, account: string): KubeObject => ({
  apiVersion: `${rbac}/v1`,
  kind: 'RoleBinding',
  metadata: { name, namespace: place },
  roleRef: { apiGroup: rbac, kind: 'Role', name },
  subjects: [{ kind: 'ServiceAccount', namespace: place, name: account }],
})
const readsMaps = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }

beforeAll(async () => {
  if (!clusters.there) return
  place = await ours.namespace('access')
  nobody = host.as(await ours.account(place, 'nobody'))
})
afterAll(async () => {
  await ours.removeAll()
  await clusters.close()
})

describe.runIf(clusters.there)('a token Secret', () => {
  it('gets a token, the namespace, and the CA that coe itself trusts', async () => {
    const secret = await api.get(refOf(tokenSecret('nobody', place)))
    expect(decoded(secret, 'token')?.split('.')).toHaveLength(3)
    expect(decoded(secret, 'namespace')).toBe(place)
    expect(decoded(secret, 'ca.crt')?.trim()).toBe(host.access.ca?.trim())
    expect(secret?.metadata.annotations?.['kubernetes.io/service-account.uid']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('without an account of its name is deleted', async () => {
    const secret = tokenSecret('never-was', place)
    await api.create(secret)
    await eventually('the Secret to go', async () => ((await api.exists(refOf(secret))) ? undefined : true))
  })

  it('with the uid of an account gets its token, and one for a deleted account is deleted', async () => {
    const account = await api.get({ apiVersion: 'v1', kind: 'ServiceAccount', name: 'nobody', namespace: place })
    const meant = (uid: string | undefined, name: string) => {
      const secret = tokenSecret('nobody', place)
      const annotations = { ...secret.metadata.annotations, 'kubernetes.io/service-account.uid': `${uid}` }
      return { ...secret, metadata: { ...secret.metadata, name, annotations } }
    }
    const right = meant(account?.metadata.uid, 'meant')
    await api.create(right)
    const filled = () => api.get(refOf(right)).then(live => decoded(live, 'token'))
    expect((await host.as(await eventually('the token', filled)).whoami())?.username).toBe(userName('nobody'))
    const wrong = meant('00000000-0000-0000-0000-000000000000', 'not-meant')
    await api.create(wrong)
    await eventually('the Secret to go', async () => ((await api.exists(refOf(wrong))) ? undefined : true))
  })

  it('made again for the same account has the same token; for a recreated account, another', async () => {
    const first = await ours.account(place, 'again')
    const secret = tokenSecret('again', place)
    await api.delete(refOf(secret))
    await api.create(secret)
    const token = async () => decoded(await api.get(refOf(secret)), 'token')
    expect(await eventually('the token', token)).toBe(first)
    await api.delete({ apiVersion: 'v1', kind: 'ServiceAccount', name: 'again', namespace: place })
    await eventually('the Secret to go', async () => ((await api.exists(refOf(secret))) ? undefined : true))
    expect(await ours.account(place, 'again')).not.toBe(first)
  })

  it('ends its access when it or its account is deleted', async () => {
    for (const kind of ['Secret', 'ServiceAccount']) {
      const account = `ended-${kind.toLowerCase()}`
      const ended = host.as(await ours.account(place, account))
      expect((await ended.whoami())?.username).toBe(userName(account))
      const name = kind === 'Secret' ? `${account}-token` : account
      await api.delete({ apiVersion: 'v1', kind, name, namespace: place })
      const error = await eventually('the token to be refused', () =>
        ended.whoami().then(
          () => undefined,
          e => e,
        ),
      )
      expect(error).toMatchObject({ exitCode: 4, details: { status: 401 } })
    }
  })
})

describe.runIf(clusters.there)('who has no role', () => {
  const inPlace = (verb: string, resource: string) => ` ${verb} ${resource} in namespace "${place}"`
  const map = () => configMap('x', place)
  const refusals: [string, () => Promise<unknown>, () => string][] = [
    ['get', () => nobody.get(refOf(map())), () => inPlace('get', 'configmaps')],
    ['exists', () => nobody.exists(refOf(map())), () => inPlace('get', 'configmaps')],
    ['list', () => nobody.list(map(), { namespace: place }), () => inPlace('list', 'configmaps')],
    ['list everywhere', () => nobody.list(map()), () => ' list configmaps'],
    ['create', () => nobody.create(deploymentObject('x', place)), () => inPlace('create', 'deployments.apps')],
    ['create a namespace', () => nobody.create(namespaceObject(ours.name('x'))), () => ' create namespaces'],
    ['apply', () => nobody.apply(map()), () => inPlace('patch', 'configmaps')],
    ['update', () => nobody.update(map()), () => inPlace('update', 'configmaps')],
    ['patch', () => nobody.patch(refOf(map()), {}, { type: 'merge' }), () => inPlace('patch', 'configmaps')],
    ['delete', () => nobody.delete(refOf(map())), () => inPlace('delete', 'configmaps')],
    ['deleteAll', () => nobody.deleteAll(map(), { namespace: place }), () => inPlace('deletecollection', 'configmaps')],
    [
      'watch',
      () => nobody.watch(map(), { namespace: place })[Symbol.asyncIterator]().next(),
      () => inPlace('list', 'configmaps'),
    ],
    [
      'watch from',
      () => nobody.watch(map(), { namespace: place, from: '1' })[Symbol.asyncIterator]().next(),
      () => inPlace('watch', 'configmaps'),
    ],
  ]

  it.each(refusals)('is refused to %s, with user, verb, resource and place', async (_, ask, right) => {
    const error = await failureOf(ask())
    expect(error.message).toBe(`the API server of "host" does not let "${userName('nobody')}"${right()}`)
    expect(error.hint).toContain('can grant it with RBAC')
    expect(error).toMatchObject({
      exitCode: 4,
      details: { status: 403, reason: 'Forbidden', missing: { user: userName('nobody') } },
    })
  })
})

describe.runIf(clusters.there)('a role', () => {
  it('grants its rights, and no others', async () => {
    const reader = host.as(await ours.account(place, 'reader'))
    await api.apply(role('reader', [readsMaps]))
    await api.apply(binding('reader', 'reader'))
    const read = () => reader.list(configMap('x', place), { namespace: place }).catch(() => undefined)
    await eventually('the role to hold', read)
    const requested = ['get', 'list', 'delete'].map(verb => ({ verb, resource: 'configmaps', namespace: place }))
    expect(await reader.canI([...requested, { verb: 'list', resource: 'configmaps' }])).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect((await failureOf(reader.create(configMap('x', place)))).exitCode).toBe(4)
    await api.delete(refOf(binding('reader', 'reader')))
    await eventually('the role to hold no more', async () => ((await read()) ? undefined : true))
  })

  it('over one name gives no rights to see or create others', async () => {
    const keeper = host.as(await ours.account(place, 'keeper'))
    const keeps = { ...readsMaps, verbs: ['get', 'list', 'watch', 'create', 'patch'], resourceNames: ['kept'] }
    await api.apply(role('keeper', [keeps]))
    await api.apply(binding('keeper', 'keeper'))
    const kept = configMap('kept', place)
    await eventually('the role to hold', () => keeper.apply(kept).catch(() => undefined))
    const only = { namespace: place, fields: 'metadata.name=kept' }
    expect((await keeper.list(kept, only)).items.map(item => item.metadata.name)).toEqual(['kept'])
    const watch = keeper.watch(kept, only)[Symbol.asyncIterator]()
    expect((await watch.next()).value).toMatchObject({ type: 'all', items: [{ metadata: { name: 'kept' } }] })
    await watch.return?.()
    const others = [
      () => keeper.list(kept, { namespace: place }),
      () => keeper.list(kept, { namespace: place, fields: 'metadata.name=other' }),
      () => keeper.apply(configMap('other', place)),
      () => keeper.create(kept), // the authorization of a POST has no name
    ]
    for (const other of others) expect((await failureOf(other())).details).toMatchObject({ status: 403 })
  })

  it("may be written and granted with the rights to escalate and bind, whatever the user's own rights", async () => {
    const giver = host.as(await ours.account(place, 'giver'))
    const verbs = ['get', 'create', 'patch', 'escalate', 'bind']
    await api.apply(role('giver', [{ apiGroups: [rbac], resources: ['roles', 'rolebindings'], verbs }]))
    await api.apply(binding('giver', 'giver'))
    const greedy = role('given', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }])
    await eventually('the role to hold', () => giver.apply(greedy).catch(() => undefined))
    expect((await giver.apply(binding('given', 'nobody'))).result).toBe('created')
  })

  it('is refused to a user with fewer rights, with the missing ones', async () => {
    const maker = host.as(await ours.account(place, 'maker'))
    const makes = { apiGroups: [rbac], resources: ['roles', 'rolebindings'], verbs: ['create', 'get', 'patch'] }
    await api.apply(role('maker', [makes]))
    await api.apply(binding('maker', 'maker'))
    await eventually('the role to hold', () => maker.exists(refOf(role('maker', []))).catch(() => undefined))
    const error = await failureOf(
      maker.apply(role('greedy', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }])),
    )
    expect(error.message).toContain('is attempting to grant RBAC permissions not currently held')
    expect(error.message).toContain('{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}')
    expect(error.details).toMatchObject({ status: 403, reason: 'Forbidden' })
    expect((await maker.apply(role('humble', [makes]))).result).toBe('created')
    const bound = await failureOf(
      maker.apply({
        ...binding('greedy', 'maker'),
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' },
      }),
    )
    expect(bound.details).toMatchObject({ status: 403 })
  })

  it('cannot be replaced in an existing binding', async () => {
    await api.apply(role('first', [readsMaps]))
    await api.apply(role('second', [readsMaps]))
    const bound = binding('first', 'nobody')
    await api.apply(bound)
    const error = await failureOf(api.apply({ ...bound, roleRef: { ...bound.roleRef, name: 'second' } }))
    expect(error.message).toContain('cannot change roleRef')
    expect(error.details).toMatchObject({ status: 422, causes: [{ field: 'roleRef' }] })
  })
})
