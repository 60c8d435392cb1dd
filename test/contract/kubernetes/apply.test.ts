/** Server-side apply: the behaviour on which coe relies to overwrite no other writer's fields. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldManager } from '../../../src/kube/api/change.ts'
import { type KubeObject, type ObjectRef, refOf } from '../../../src/kube/api/object.ts'
import { makeWriter } from '../../../src/kube/ownership/ownership.ts'
import { configMap, deploymentObject, failureOf } from '../../support/kube.ts'
import { belongings, eventually } from './belongings.ts'
import { target } from './target.ts'

const clusters = await target()
const { api } = clusters.host
const ours = belongings(api)
let place: string
const map = (name: string, data: Record<string, string> = {}) => configMap(name, place, data)
const mapRef = (name: string): ObjectRef => refOf(map(name))
const pathOf = ({ kind, metadata }: KubeObject) =>
  kind === 'Deployment'
    ? `/apis/apps/v1/namespaces/${place}/deployments/${metadata.name}`
    : `/api/v1/namespaces/${place}/configmaps/${metadata.name}`

/** The same request by another writer. */
async function applyAs(manager: string, object: KubeObject): Promise<void> {
  const { status, text } = await api.raw({
    method: 'PATCH',
    path: pathOf(object),
    query: { fieldManager: manager },
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: JSON.stringify(object),
  })
  expect(status, text).toBeLessThan(300)
}

async function editAs(manager: string, object: KubeObject, patch: object): Promise<void> {
  const { status, text } = await api.raw({
    method: 'PATCH',
    path: pathOf(object),
    query: { fieldManager: manager },
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify(patch),
  })
  expect(status, text).toBeLessThan(300)
}

beforeAll(async () => {
  if (clusters.there) place = await ours.namespace('apply')
})
afterAll(async () => {
  await ours.removeAll()
  await clusters.close()
})

describe.runIf(clusters.there)('apply', () => {
  it('reports created, configured, and after some time unchanged', async () => {
    const first = await api.apply(map('told', { a: '1' }))
    expect(first.result).toBe('created')
    const second = await api.apply(map('told', { a: '2' }))
    expect(second).toMatchObject({ result: 'configured', object: { data: { a: '2' } } })
    const { resourceVersion } = second.object.metadata
    await eventually('an apply that changes nothing', async () => {
      const { object, result } = await api.apply(map('told', { a: '2' }))
      expect(object.metadata.resourceVersion).toBe(resourceVersion)
      return result === 'unchanged' || undefined
    })
  })

  it('keeps our fields under our name', async () => {
    const { object } = await api.apply(map('named', { a: '1' }))
    expect(object.metadata.managedFields).toMatchObject([
      { manager: fieldManager, operation: 'Apply', apiVersion: 'v1', fieldsV1: { 'f:data': { 'f:a': {} } } },
    ])
  })

  it('is refused with manager and field if another manager has set the field', async () => {
    await applyAs('somebody', map('fought', { a: 'theirs', b: 'theirs' }))
    const error = await failureOf(api.apply(map('fought', { a: 'ours' })))
    expect(error.message).toMatch(
      /refuses to apply ConfigMap .*: other clients have set these fields: \.data\.a \(somebody\)$/,
    )
    expect(error.hint).toContain('coe does not overwrite what somebody changed')
    expect(error).toMatchObject({
      exitCode: 5,
      details: {
        status: 409,
        reason: 'Conflict',
        causes: [{ reason: 'FieldManagerConflict', field: '.data.a', message: expect.stringContaining('"somebody"') }],
      },
    })
    expect((await api.get(mapRef('fought')))?.data.a).toBe('theirs')
  })

  it('also names a manual editor', async () => {
    await api.apply(map('edited', { a: '1' }))
    await editAs('kubectl-edit', map('edited'), { data: { a: '2' } })
    const error = await failureOf(api.apply(map('edited', { a: '3' })))
    expect(error.message).toContain('.data.a (kubectl-edit)')
  })

  it('takes the field by force, and keeps the others', async () => {
    await applyAs('somebody', map('forced', { a: 'theirs', b: 'theirs' }))
    const { object } = await api.apply(map('forced', { a: 'ours' }), { force: true })
    expect(object.data).toEqual({ a: 'ours', b: 'theirs' })
  })

  it('shares a field with the same value', async () => {
    await applyAs('somebody', map('agreed', { a: '1' }))
    const { object } = await api.apply(map('agreed', { a: '1' }))
    expect(object.metadata.managedFields?.map(m => m.manager).sort()).toEqual([fieldManager, 'somebody'])
    await api.apply(map('agreed'))
    expect((await api.get(mapRef('agreed')))?.data).toEqual({ a: '1' })
  })

  it('removes fields that we no longer apply', async () => {
    await api.apply(map('shrunk', { a: '1', b: '2' }))
    await applyAs('somebody', map('shrunk', { c: '3' }))
    expect((await api.apply(map('shrunk', { a: '1' }))).object.data).toEqual({ a: '1', c: '3' })
  })

  it('of an object that we made by POST does not conflict with ourselves', async () => {
    await api.create(map('posted', { a: '1' }))
    expect((await api.apply(map('posted', { a: '2' }))).object.data).toEqual({ a: '2' })
  })

  it('merges lists by their keys: two managers have a container each, and a variable each', async () => {
    const mine = deploymentObject('lists', place, 'busybox:1.35', 0)
    await api.apply(mine)
    const { selector } = mine.spec
    const containers = [
      { name: 'side', image: 'busybox:1.35' },
      { name: 'main', env: [{ name: 'X', value: '1' }] },
    ]
    await applyAs('somebody', { ...mine, spec: { selector, template: { spec: { containers } } } })
    const { object } = await api.apply(mine)
    const live = object.spec.template.spec.containers as { name: string; image: string; env?: object[] }[]
    expect(live.map(c => c.name).sort()).toEqual(['main', 'side'])
    expect(live.find(c => c.name === 'main')).toMatchObject({ image: 'busybox:1.35', env: [{ name: 'X', value: '1' }] })
    mine.spec.template.spec.containers[0].image = 'busybox:1.36'
    expect((await api.apply(mine)).object.metadata.generation).toBe(3)
  })

  it('stores nothing in a dry run, and reports what it would do', async () => {
    expect((await api.apply(map('dry'), { dryRun: true })).result).toBe('created')
    expect(await api.exists(mapRef('dry'))).toBe(false)
    await applyAs('somebody', map('dry-fought', { a: 'theirs' }))
    const error = await failureOf(api.apply(map('dry-fought', { a: 'ours' }), { dryRun: true }))
    expect(error.message).toContain('.data.a (somebody)')
  })

  it('of a status keeps the spec', async () => {
    const made = deploymentObject('status', place, 'busybox:1.35', 0)
    await api.apply(made)
    const status = { apiVersion: made.apiVersion, kind: made.kind, metadata: made.metadata, spec: { replicas: 5 } }
    const { object } = await api.apply({ ...status, status: { collisionCount: 4 } }, { subresource: 'status' })
    expect(object).toMatchObject({ spec: { replicas: 0 }, status: { collisionCount: 4 } })
  })

  it('is refused in a missing namespace, and with the field for an invalid value', async () => {
    const nowhere = await failureOf(api.apply(configMap('a', ours.name('nowhere'))))
    expect(nowhere.message).toContain(`namespaces "${ours.name('nowhere')}" not found`)
    expect(nowhere.exitCode).toBe(3)
    const unfit = deploymentObject('unfit', place)
    unfit.spec.template.metadata.labels = { app: 'another' }
    const error = await failureOf(api.apply(unfit))
    expect(error.details).toMatchObject({ status: 422, causes: [{ field: 'spec.template.metadata.labels' }] })
  })

  it('is refused for immutable fields', async () => {
    await api.apply(deploymentObject('fixed', place, 'busybox:1.35', 0))
    const changed = deploymentObject('fixed', place, 'busybox:1.35', 0)
    changed.spec.selector.matchLabels = { app: 'other' }
    changed.spec.template.metadata.labels = { app: 'other' }
    const error = await failureOf(api.apply(changed))
    expect(error.message).toContain('spec.selector')
    expect(error.message).toContain('field is immutable')
    expect(error.details).toMatchObject({ status: 422 })
  })

  it('with a uid never recreates an object that was deleted meanwhile', async () => {
    const { object } = await api.apply(map('lost', { a: '1' }))
    await api.delete(mapRef('lost'))
    const error = await failureOf(
      api.apply({ ...map('lost'), metadata: { ...map('lost').metadata, uid: object.metadata.uid as string } }),
    )
    expect(error).toMatchObject({ exitCode: 5, details: { status: 409 } })
    expect(await api.exists(mapRef('lost'))).toBe(false)
  })
})

describe.runIf(clusters.there)('apply, by a writer that marks what is ours', () => {
  const writer = () =>
    makeWriter({
      api,
      owner: { what: 'federation', key: 'coe-contract/owner', labels: { 'coe-contract/owner': ours.name('us') } },
      newNamespaces: new Set(),
      signal: new AbortController().signal,
    })

  it('tells by versions exactly what changed', async () => {
    const objects = ['w1', 'w2', 'w3'].map(name => map(name, { a: '1' }))
    const results = async () => (await writer().apply(objects)).map(applied => applied.result)
    expect(await results()).toEqual(['created', 'created', 'created'])
    objects[1] = map('w2', { a: '2' })
    expect(await results()).toEqual(['unchanged', 'configured', 'unchanged'])
  })

  it('is refused before the first write if an existing object is not ours', async () => {
    await api.create(map('foreign', { a: '1' }))
    const error = await failureOf(writer().apply([map('new-one'), map('foreign')]))
    expect(error.message).toContain('exists already, and coe did not make it')
    expect(await api.exists(mapRef('new-one'))).toBe(false)
    expect(await writer().remove(mapRef('foreign'))).toBe(false)
    expect(await api.exists(mapRef('foreign'))).toBe(true)
  })
})
