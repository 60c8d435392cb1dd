/** Single objects and lists: the behaviour on which coe relies to read, create, change and delete. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refOf } from '../../../src/kube/api/object.ts'
import { configMap, deploymentObject, failureOf, namespaceObject } from '../../support/kube.ts'
import { belongings } from './belongings.ts'
import { target } from './target.ts'

const clusters = await target()
const { api } = clusters.host
const ours = belongings(api)
const maps = { apiVersion: 'v1', kind: 'ConfigMap' }
let place: string
const map = (name: string, data: Record<string, string> = {}, labels?: Record<string, string>) => {
  const object = configMap(name, place, data)
  return labels ? { ...object, metadata: { ...object.metadata, labels } } : object
}
const mapRef = (name: string) => refOf(map(name))

beforeAll(async () => {
  if (clusters.there) place = await ours.namespace('objects')
})
afterAll(async () => {
  await ours.removeAll()
  await clusters.close()
})

describe.runIf(clusters.there)('create', () => {
  it('returns the object with uid, version, time, and our name as its manager', async () => {
    const made = await api.create(map('made', { a: '1' }))
    expect(made.metadata).toMatchObject({
      name: 'made',
      namespace: place,
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      resourceVersion: expect.stringMatching(/^\d+$/),
      creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    })
    expect(made.metadata.managedFields).toMatchObject([
      { manager: 'coe', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': { 'f:a': {} } } },
    ])
  })

  it('is refused if it exists already', async () => {
    await api.create(map('once', { a: '1' }))
    const error = await failureOf(api.create(map('once', { a: '2' })))
    expect(error.message).toMatch(/refuses to create ConfigMap .*\/once: it exists already$/)
    expect(error).toMatchObject({ exitCode: 5, details: { status: 409, reason: 'AlreadyExists' } })
  })

  it('lets one of two simultaneous requests win', async () => {
    const tries = [1, 2].map(n => api.create(map('raced', { by: String(n) })))
    const results = await Promise.allSettled(tries)
    expect(results.map(s => s.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('is refused in a missing namespace, which is named', async () => {
    const error = await failureOf(api.create(configMap('a', ours.name('nowhere'))))
    expect(error.message).toContain(`namespaces "${ours.name('nowhere')}" not found`)
    expect(error).toMatchObject({ exitCode: 3, details: { status: 404 } })
  })

  it('is refused with the field for a bad name', async () => {
    const error = await failureOf(api.create(map('Not_a_name')))
    expect(error.message).toMatch(/metadata\.name: Invalid value: "Not_a_name"/)
    expect(error).toMatchObject({
      exitCode: 1,
      details: { status: 422, reason: 'Invalid', causes: [{ reason: 'FieldValueInvalid', field: 'metadata.name' }] },
    })
  })

  it('is refused with each invalid field', async () => {
    const object = deploymentObject('unfit', place)
    object.spec.selector = { matchLabels: { app: 'another' } }
    const error = await failureOf(api.create(object))
    expect(error.details).toMatchObject({ status: 422, causes: [{ field: 'spec.template.metadata.labels' }] })
    expect(error.message).toContain('`selector` does not match template `labels`')
  })

  it('stores nothing in a dry run, but refuses the same requests', async () => {
    expect((await api.create(map('dry'), { dryRun: true })).metadata.uid).toBeDefined()
    expect(await api.exists(mapRef('dry'))).toBe(false)
    await failureOf(api.create(map('Dry_'), { dryRun: true }))
  })
})

describe.runIf(clusters.there)('get', () => {
  it('returns the object with its kind, and nothing for a missing one', async () => {
    await api.create(map('got', { a: '1' }))
    expect(await api.get(mapRef('got'))).toMatchObject({ ...maps, metadata: { name: 'got' }, data: { a: '1' } })
    expect(await api.get(mapRef('absent'))).toBeUndefined()
    expect(await api.get(refOf(configMap('a', ours.name('nowhere'))))).toBeUndefined()
  })
})

describe.runIf(clusters.there)('exists', () => {
  it('is true from the moment of creation', async () => {
    expect(await api.exists(mapRef('later'))).toBe(false)
    await api.create(map('later'))
    expect(await api.exists(mapRef('later'))).toBe(true)
  })
})

describe.runIf(clusters.there)('list', () => {
  const mine = () => ({ 'coe-contract': ours.name('list') })
  const names = async (labels?: string, fields?: string, namespace: string | undefined = place) => {
    const { items } = await api.list(maps, { namespace, labels, fields })
    return items.map(i => i.metadata.name)
  }
  beforeAll(async () => {
    const other = await ours.namespace('elsewhere')
    await Promise.all([
      api.create(map('l1', { a: '1' }, { ...mine(), tier: 'a' })),
      api.create(map('l2', {}, { ...mine(), tier: 'b' })),
      api.create(map('l3', {}, mine())),
      api.create({ ...map('l4'), metadata: { name: 'l4', namespace: other, labels: mine() } }),
    ])
  })

  it('selects by labels: is, is one of, is not, is there, is not there', async () => {
    const all = `coe-contract=${ours.name('list')}`
    expect(await names(all)).toEqual(['l1', 'l2', 'l3'])
    expect(await names(`${all},tier=b`)).toEqual(['l2'])
    expect(await names(`${all},tier in (a,b)`)).toEqual(['l1', 'l2'])
    expect(await names(`${all},tier!=a`)).toEqual(['l2', 'l3'])
    expect(await names(`${all},tier`)).toEqual(['l1', 'l2'])
    expect(await names(`${all},!tier`)).toEqual(['l3'])
    expect(await names('coe-contract=nobody')).toEqual([])
  })

  it('reads all namespaces if none is named', async () => {
    const { items } = await api.list(maps, { labels: `coe-contract=${ours.name('list')}` })
    expect(items.map(i => i.metadata.name).sort()).toEqual(['l1', 'l2', 'l3', 'l4'])
  })

  it('selects by name, and refuses an unsupported field', async () => {
    expect(await names(undefined, 'metadata.name=l2')).toEqual(['l2'])
    const error = await failureOf(names(undefined, 'data.a=1'))
    expect(error.message).toContain('"data.a" is not a known field selector')
    expect(error.details).toMatchObject({ status: 400 })
  })

  it('has the kind of each item, and the version from which a watch can continue', async () => {
    const { items, resourceVersion } = await api.list(maps, { namespace: place, fields: 'metadata.name=l1' })
    expect(items).toMatchObject([{ ...maps, data: { a: '1' } }])
    expect(Number(resourceVersion)).toBeGreaterThanOrEqual(Number(items[0]?.metadata.resourceVersion))
  })

  it('sends only names and labels on request', async () => {
    const selection = { namespace: place, fields: 'metadata.name=l1', metadataOnly: true }
    const [item] = (await api.list(maps, selection)).items
    expect(item).toMatchObject({ ...maps, metadata: { name: 'l1', labels: { tier: 'a' } } })
    expect(item?.data).toBeUndefined()
  })

  it('comes in pages on request', async () => {
    const query = { labelSelector: `coe-contract=${ours.name('list')}`, limit: 2 }
    const page = async (next?: string) => {
      const path = `/api/v1/namespaces/${place}/configmaps`
      const { text } = await api.raw({ method: 'GET', path, query: { ...query, continue: next } })
      return JSON.parse(text) as { metadata: { continue?: string; resourceVersion: string }; items: unknown[] }
    }
    const first = await page()
    expect(first.items).toHaveLength(2)
    const second = await page(first.metadata.continue)
    expect(second.items).toHaveLength(1)
    expect(second.metadata).toMatchObject({ resourceVersion: first.metadata.resourceVersion })
    expect(second.metadata.continue).toBeFalsy()
  })

  it('is empty, not refused, in a missing namespace', async () => {
    expect(await names(undefined, undefined, ours.name('nowhere'))).toEqual([])
  })
})

describe.runIf(clusters.there)('update', () => {
  it('succeeds with the version that was read, and returns the next', async () => {
    const made = await api.create(map('updated', { a: '1' }))
    const next = await api.update({ ...made, data: { a: '2' } })
    expect(next.data).toEqual({ a: '2' })
    expect(next.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion)
    expect(next.metadata.uid).toBe(made.metadata.uid)
  })

  it('that changes nothing writes nothing', async () => {
    const made = await api.create(map('same', { a: '1' }))
    expect((await api.update(made)).metadata.resourceVersion).toBe(made.metadata.resourceVersion)
  })

  it('is refused if another writer was faster', async () => {
    const made = await api.create(map('stale', { a: '1' }))
    await api.update({ ...made, data: { a: '2' } })
    const error = await failureOf(api.update({ ...made, data: { a: '3' } }))
    expect(error.message).toContain('the object has been modified')
    expect(error).toMatchObject({ exitCode: 5, details: { status: 409, reason: 'Conflict' } })
    expect(error.hint).toContain('run this again')
    expect((await api.get(mapRef('stale')))?.data).toEqual({ a: '2' })
  })

  it('is refused for a missing object, and for another object of its name', async () => {
    const error = await failureOf(api.update(map('never', { a: '1' })))
    expect(error).toMatchObject({ exitCode: 3, details: { status: 404 } })
    const first = await api.create(map('again', { a: '1' }))
    await api.delete(mapRef('again'))
    await api.create(map('again', { a: '2' }))
    expect(await failureOf(api.update({ ...first, data: { a: '3' } }))).toMatchObject({ exitCode: 5 })
  })

  it('of the status keeps the rest, and vice versa', async () => {
    const made = await api.create(deploymentObject('parts', place, 'busybox:1.35', 0))
    const { resourceVersion: _, ...metadata } = made.metadata // its controller may write first
    const status = { ...made, metadata, spec: { ...made.spec, replicas: 7 }, status: { collisionCount: 3 } }
    const changed = await api.update(status, { subresource: 'status' })
    expect(changed).toMatchObject({ spec: { replicas: 0 }, status: { collisionCount: 3 } })
    const updated = await api.update({ ...changed, metadata, spec: { ...changed.spec, paused: true }, status: {} })
    expect(updated).toMatchObject({ spec: { paused: true }, status: { collisionCount: 3 } })
  })
})

describe.runIf(clusters.there)('patch', () => {
  it('merges, and removes fields that are null', async () => {
    await api.create(map('merged', { a: '1', b: '2' }, { keep: 'x', drop: 'y' }))
    const patch = { metadata: { labels: { drop: null } }, data: { b: null, c: '3' } }
    const changed = await api.patch(mapRef('merged'), patch, { type: 'merge' })
    expect(changed).toMatchObject({ metadata: { labels: { keep: 'x' } }, data: { a: '1', c: '3' } })
    expect(Object.keys({ ...changed.metadata.labels, ...changed.data }).sort()).toEqual(['a', 'c', 'keep'])
  })

  it('by operations is refused if one of its tests fails', async () => {
    await api.create(map('tested', { a: '1' }))
    const operations = (value: string) => [
      { op: 'test', path: '/data/a', value },
      { op: 'replace', path: '/data/a', value: '2' },
    ]
    expect((await api.patch(mapRef('tested'), operations('1'), { type: 'json' })).data).toEqual({ a: '2' })
    const error = await failureOf(api.patch(mapRef('tested'), operations('1'), { type: 'json' }))
    expect(error.details).toMatchObject({ status: 422, reason: 'Invalid' })
    expect((await api.get(mapRef('tested')))?.data).toEqual({ a: '2' })
  })

  it('merges lists by their keys in the strategic kind', async () => {
    const made = await api.create(deploymentObject('strategic', place, 'busybox:1.35', 0))
    const containers = [{ name: 'side', image: 'busybox:1.35' }]
    const patch = { spec: { template: { spec: { containers } } } }
    const changed = await api.patch(refOf(made), patch, { type: 'strategic' })
    expect(changed.spec.template.spec.containers.map((c: { name: string }) => c.name).sort()).toEqual(['main', 'side'])
    expect(changed.metadata.generation).toBe(2)
  })

  it('is refused for what is not there', async () => {
    const error = await failureOf(api.patch(mapRef('never'), { data: { a: '1' } }, { type: 'merge' }))
    expect(error).toMatchObject({ exitCode: 3, details: { status: 404 } })
  })

  it('stores nothing in a dry run', async () => {
    await api.create(map('dry-patch', { a: '1' }))
    const changed = await api.patch(mapRef('dry-patch'), { data: { a: '2' } }, { type: 'merge', dryRun: true })
    expect(changed.data).toEqual({ a: '2' })
    expect((await api.get(mapRef('dry-patch')))?.data).toEqual({ a: '1' })
  })
})

describe.runIf(clusters.there)('delete', () => {
  it('is true for an existing object, false for a missing one', async () => {
    await api.create(map('deleted'))
    expect(await api.delete(mapRef('deleted'))).toBe(true)
    expect(await api.delete(mapRef('deleted'))).toBe(false)
    expect(await api.exists(mapRef('deleted'))).toBe(false)
  })

  it('is refused for another object of the name', async () => {
    const made = await api.create(map('another'))
    const uid = await failureOf(api.delete(mapRef('another'), { uid: '00000000-0000-4000-8000-000000000000' }))
    expect(uid).toMatchObject({ exitCode: 5, details: { status: 409, reason: 'Conflict' } })
    expect(uid.message).toContain('does not match the UID in record')
    const version = await failureOf(api.delete(mapRef('another'), { resourceVersion: '1' }))
    expect(version).toMatchObject({ exitCode: 5, details: { status: 409 } })
    expect(await api.exists(mapRef('another'))).toBe(true)
    const { uid: right, resourceVersion } = made.metadata
    expect(await api.delete(mapRef('another'), { uid: right, resourceVersion })).toBe(true)
  })

  it('deletes nothing in a dry run', async () => {
    await api.create(map('kept'))
    expect(await api.delete(mapRef('kept'), { dryRun: true })).toBe(true)
    expect(await api.exists(mapRef('kept'))).toBe(true)
  })
})

describe.runIf(clusters.there)('deleteAll', () => {
  it('deletes the selected objects, and no others', async () => {
    const sweep = { sweep: 'yes' }
    await Promise.all([
      api.create(map('s1', {}, sweep)),
      api.create(map('s2', {}, sweep)),
      api.create(map('s3', {}, { sweep: 'no' })),
    ])
    await api.deleteAll(maps, { namespace: place, labels: 'sweep=yes' })
    const { items } = await api.list(maps, { namespace: place, labels: 'sweep' })
    expect(items.map(i => i.metadata.name)).toEqual(['s3'])
  })

  it('is refused for kinds that must be deleted one by one', async () => {
    const error = await failureOf(api.deleteAll(namespaceObject('x'), { labels: 'coe-contract=nobody' }))
    expect(error.details).toMatchObject({ status: 405, reason: 'MethodNotAllowed' })
  })
})
