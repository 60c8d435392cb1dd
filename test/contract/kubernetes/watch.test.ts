/** Watches: they report changes, resume from a version, and restart if the server has forgotten it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/core/time.ts'
import type { WatchEvent, WatchOptions } from '../../../src/kube/api/cluster-api.ts'
import { type KubeObject, refOf } from '../../../src/kube/api/object.ts'
import { follow } from '../../../src/kube/waiting/follow.ts'
import { waitGone } from '../../../src/kube/waiting/wait.ts'
import { configMap, failureOf } from '../../support/kube.ts'
import { belongings } from './belongings.ts'
import { onRealServers, target } from './target.ts'

const clusters = await target()
const { api } = clusters.host
const ours = belongings(api)
const maps = { apiVersion: 'v1', kind: 'ConfigMap' }
let place: string
/** Started early, because it takes a while. */
let threeSeconds: Promise<string>

const map = (name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}) => {
  const object = configMap(name, place, data)
  return { ...object, metadata: { ...object.metadata, labels } }
}
const summary = (event: WatchEvent | undefined) =>
  event?.type === 'all'
    ? `all ${event.items.map(i => i.metadata.name).join(' ')}`.trim()
    : `${event?.type} ${event?.object.metadata.name}`

/** Reads events until `stop`. */
function listen(options: WatchOptions, kind: Parameters<typeof api.watch>[0] = maps) {
  const stop = new AbortController()
  const events = api.watch(kind, { namespace: place, ...options, signal: stop.signal })[Symbol.asyncIterator]()
  return {
    next: async () => summary((await events.next()).value),
    event: async () => (await events.next()).value as WatchEvent,
    stop: async () => {
      stop.abort(new Error('enough was seen'))
      return failureOf(events.next())
    },
  }
}
/** Servers do not cache changes of Events, so changes that etcd has compacted, every few minutes, are lost. */
const happenings = { apiVersion: 'v1', kind: 'Event' }
const happening = (name: string, labels: Record<string, string>): KubeObject => ({
  ...happenings,
  metadata: { name, namespace: place, labels },
  involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name, namespace: place },
  reason: 'Tried',
  message: 'checks whether this is remembered',
  type: 'Normal',
})
async function isForgotten(version: string): Promise<boolean> {
  const query = { watch: 'true', resourceVersion: version, timeoutSeconds: 1 }
  const { text } = await api.raw({ method: 'GET', path: `/api/v1/namespaces/${place}/events`, query })
  return /"code":410\b/.test(text)
}
const versionNow = async () => (await api.list(maps, { namespace: place })).resourceVersion

beforeAll(async () => {
  if (!clusters.there) return
  place = await ours.namespace('watch')
  const quiet = { fieldSelector: 'metadata.name=never-was', resourceVersion: await versionNow() }
  const query = { ...quiet, watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: 3 }
  const path = `/api/v1/namespaces/${place}/configmaps`
  threeSeconds = api.raw({ method: 'GET', path, query }).then(answer => answer.text)
})
afterAll(async () => {
  await ours.removeAll()
  await clusters.close()
})

describe.runIf(clusters.there)('following one object', () => {
  const options = { clock: systemClock, signal: new AbortController().signal, forMs: 60_000 }
  const wet = (live: KubeObject) => (live.data?.wet === 'yes' ? 'wet' : undefined)

  it('returns at once if the state is already reached', async () => {
    const { object } = await api.apply(map('wet', { wet: 'yes' }))
    expect(await follow(api, object, wet, options)).toBe('wet')
  })

  it('misses no change between the write and the watch', async () => {
    const { object } = await api.apply(map('f1', { wet: 'no' }))
    await api.apply(map('f1', { wet: 'yes' }))
    await api.apply(map('f1', { wet: 'no' }))
    expect(await follow(api, object, wet, options)).toBe('wet')
  })

  it('ends when the object is deleted, or at the time limit', async () => {
    const { object } = await api.apply(map('f2'))
    const following = follow(api, object, wet, options)
    await api.delete(refOf(object))
    expect(await following).toBeUndefined()
    const other = (await api.apply(map('f3'))).object
    expect(await follow(api, other, wet, { ...options, forMs: 50 })).toBeUndefined()
  })

  it('waits for a deletion from the last read, without a list', async () => {
    const { object } = await api.apply(map('f4'))
    const from = object.metadata.resourceVersion
    const waiting = waitGone(api, refOf(object), { ...options, timeoutMs: 60_000, from })
    await api.delete(refOf(object))
    await waiting
  })
})

describe.runIf(clusters.there)('watch', () => {
  it('reports all existing objects, then creations, changes and deletions', async () => {
    await api.create(map('w1', {}, { of: 'one' }))
    const watch = listen({ labels: 'of=one' })
    expect(await watch.next()).toBe('all w1')
    await api.create(map('w2', {}, { of: 'one' }))
    expect(await watch.next()).toBe('set w2')
    await api.patch(refOf(map('w1')), { data: { a: '1' } }, { type: 'merge' })
    const changed = await watch.event()
    expect(changed).toMatchObject({ type: 'set', object: { ...maps, metadata: { name: 'w1' }, data: { a: '1' } } })
    await api.delete(refOf(map('w2')))
    expect(await watch.next()).toBe('gone w2')
    expect((await watch.stop()).message).toBe('enough was seen')
  })

  it('of one name reports no other', async () => {
    const watch = listen({ fields: 'metadata.name=only' })
    expect(await watch.next()).toBe('all')
    await api.create(map('other'))
    await api.create(map('only'))
    expect(await watch.next()).toBe('set only')
    await watch.stop()
  })

  it('from a version reports later changes, in order', async () => {
    const from = await versionNow()
    await api.create(map('later'))
    await api.delete(refOf(map('later')))
    await api.create(map('latest'))
    const watch = listen({ from, labels: '!of' })
    expect([await watch.next(), await watch.next(), await watch.next()]).toEqual([
      'set later',
      'gone later',
      'set latest',
    ])
    await watch.stop()
  })

  it('continues from the version of a written object, and misses nothing', async () => {
    const made = await api.create(map('followed'))
    await api.patch(refOf(made), { data: { a: '1' } }, { type: 'merge' })
    const watch = listen({ from: made.metadata.resourceVersion, fields: 'metadata.name=followed' })
    expect(await watch.event()).toMatchObject({ type: 'set', object: { data: { a: '1' } } })
    await watch.stop()
  })

  it('reports an object that no longer matches as deleted', async () => {
    await api.create(map('moving', {}, { team: 'a' }))
    const watch = listen({ labels: 'team=a' })
    expect(await watch.next()).toBe('all moving')
    await api.patch(refOf(map('moving')), { metadata: { labels: { team: 'b' } } }, { type: 'merge' })
    expect(await watch.next()).toBe('gone moving')
    await api.patch(refOf(map('moving')), { metadata: { labels: { team: 'a' } } }, { type: 'merge' })
    expect(await watch.next()).toBe('set moving')
    await watch.stop()
  })

  it('from a forgotten version reports all existing objects again', async ({ skip }) => {
    const forgotten = await isForgotten('1')
    skip(onRealServers && !forgotten, 'this server is young, and remembers all that ever was')
    expect(forgotten).toBe(true)
    await api.create(happening('old', { of: 'old' }))
    const watch = listen({ from: '1', labels: 'of=old' }, happenings)
    expect(await watch.next()).toBe('all old')
    await watch.stop()
  })

  it('without changes gets the newest version before the server ends it', async () => {
    const lines = (await threeSeconds)
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({
      type: 'BOOKMARK',
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion: expect.stringMatching(/^\d+$/) } },
    })
  })

  it('is refused for a missing kind', async () => {
    const events = api.watch({ apiVersion: 'no.such.group.example/v1', kind: 'Sandcastle' }, {})
    const error = await failureOf(events[Symbol.asyncIterator]().next())
    expect(error.message).toContain('has no kind Sandcastle')
  })
})
