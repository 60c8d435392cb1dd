import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { adminOf, type Client, configMap, namespace } from './client.ts'

let sandbox: KubeSandbox
let api: Client
const maps = '/api/v1/namespaces/shop/configmaps'

interface Event {
  type: string
  object: {
    kind: string
    reason?: string
    code?: number
    metadata: { name?: string; resourceVersion?: string; annotations?: object }
  }
}
const read = async (query: string, seconds = 1): Promise<Event[]> => {
  const { body } = await api.get(`${maps}?watch=1&timeoutSeconds=${seconds}&${query}`)
  return String(body)
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}
const summary = (events: Event[]) => events.map(e => `${e.type} ${e.object.metadata.name ?? ''}`.trim())

beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  api = await adminOf(sandbox.host)
  await api.post('/api/v1/namespaces', namespace('shop'))
  await api.until(`${maps}/kube-root-ca.crt`, r => r.status === 200)
})
afterAll(() => sandbox.close())

test('reports existing objects, then changes, and ends in time', async () => {
  await api.post(maps, configMap('seen', {}))
  // long enough for a busy machine
  const events = read('fieldSelector=metadata.name!%3Dkube-root-ca.crt', 5)
  const listens = () => sandbox.log.all().some(entry => entry.url.includes('watch=1') && entry.processed)
  await api.until(maps, listens)
  await api.put(`${maps}/seen`, configMap('seen', { a: '1' }))
  await api.del(`${maps}/seen`)
  expect(summary(await events)).toEqual(['ADDED seen', 'MODIFIED seen', 'DELETED seen'])
})

test('continues from the version of a list', async () => {
  const { metadata } = (await api.get(maps)).body
  await api.post(maps, configMap('later', { a: '1' }))
  await api.del(`${maps}/later`)
  expect(summary(await read(`resourceVersion=${metadata.resourceVersion}`))).toEqual(['ADDED later', 'DELETED later'])
})

test('an object that no longer matches is reported as deleted', async () => {
  const { metadata } = (await api.get(maps)).body
  await api.post(maps, configMap('moving', {}, { labels: { team: 'a' } }))
  await api.patch(`${maps}/moving`, 'merge', { metadata: { labels: { team: 'b' } } })
  await api.patch(`${maps}/moving`, 'merge', { metadata: { labels: { team: 'a' } } })
  const events = await read(`resourceVersion=${metadata.resourceVersion}&labelSelector=team%3Da`)
  expect(summary(events)).toEqual(['ADDED moving', 'DELETED moving', 'ADDED moving'])
})

test('a forgotten version is an ERROR event with 410', async () => {
  const { metadata } = (await api.get(maps)).body
  await api.post(maps, configMap('forgotten', {}))
  sandbox.host.plane.store.compact()
  const [event] = await read(`resourceVersion=${metadata.resourceVersion}`)
  expect(event).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } })
})

test('a version from the future must be retried', async () => {
  expect(await api.get(`${maps}?resourceVersion=99999999`)).toMatchObject({
    status: 504,
    headers: { 'retry-after': '1' },
    body: { reason: 'Timeout', details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } },
  })
})

test('marks the end of the existing objects on request', async () => {
  const events = await read(
    'sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&fieldSelector=metadata.name%3Dkube-root-ca.crt',
  )
  expect(summary(events).slice(0, 2)).toEqual(['ADDED kube-root-ca.crt', 'BOOKMARK'])
  expect(events[1]?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' })
})
