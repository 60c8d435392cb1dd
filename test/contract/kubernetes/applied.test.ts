/** The managed fields of an object tell, without a request, whether an apply would change anything. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAppliedAlready } from '../../../src/kube/api/applied-fields.ts'
import { type KubeObject, refOf } from '../../../src/kube/api/object.ts'
import { configMap, deploymentObject } from '../../support/kube.ts'
import { belongings } from './belongings.ts'
import { target } from './target.ts'

const clusters = await target()
const { api } = clusters.host
const ours = belongings(api)
let place: string
beforeAll(async () => {
  if (clusters.there) place = await ours.namespace('applied')
})
afterAll(async () => {
  await ours.removeAll()
  await clusters.close()
})

const live = async (object: KubeObject): Promise<KubeObject> => (await api.get(refOf(object))) as KubeObject

/** Objects like coe's: lists by key and by value, keys with server defaults, empty values, atomic values. */
const usual = (): KubeObject[] => [
  configMap('plain', place, { a: '1', b: '2' }),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'ports', namespace: place, labels: { app: 'web' } },
    spec: {
      selector: { app: 'web' },
      ports: [
        { name: 'one', port: 80, targetPort: 'http' },
        { name: 'two', port: 81, targetPort: 8081 },
      ],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: place },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' }, annotations: { sum: 'x' } },
        spec: {
          automountServiceAccountToken: false,
          tolerations: [{ key: 'a', operator: 'Exists' }],
          containers: [
            {
              name: 'main',
              image: 'web:1',
              args: ['--a', '--b'],
              env: [{ name: 'A', value: 'b' }],
              ports: [{ containerPort: 80 }],
              volumeMounts: [{ name: 'data', mountPath: '/data' }],
              resources: { requests: { cpu: '10m' } },
            },
          ],
          volumes: [{ name: 'data', emptyDir: {} }],
        },
      },
    },
  },
]

describe.runIf(clusters.there)('what is applied', () => {
  it('is recognised as applied; with more or fewer fields it is not', async () => {
    for (const object of usual()) {
      await api.apply(object)
      const there = await live(object)
      expect([object.kind, isAppliedAlready(there, object)]).toEqual([object.kind, true])
      expect((await api.apply(object)).object.metadata.generation).toBe(there.metadata.generation)
      const more = { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, more: 'x' } } }
      expect(isAppliedAlready(there, more)).toBe(false)
    }
    const fewer = configMap('plain', place, { a: '1' })
    expect(isAppliedAlready(await live(fewer), fewer)).toBe(false)
  })

  it('and changed by another writer since is recognised as changed', async () => {
    const object = configMap('edited', place, { a: '1', b: '2' })
    for (const data of [{ a: '3' }, { a: null }]) {
      await api.apply(object, { force: true })
      expect(isAppliedAlready(await live(object), object)).toBe(true)
      await api.raw({
        method: 'PATCH',
        path: `/api/v1/namespaces/${place}/configmaps/edited`,
        query: { fieldManager: 'somebody' },
        headers: { 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ data }),
      })
      expect(isAppliedAlready(await live(object), object)).toBe(false)
    }
  })

  it('stays applied when other writers add their own fields', async () => {
    const object = deploymentObject('shared', place)
    await api.apply(object)
    await api.patch(refOf(object), { metadata: { annotations: { theirs: 'x' } } }, { type: 'merge' })
    expect(isAppliedAlready(await live(object), object)).toBe(true)
  })

  it('is never assumed for objects that coe made without applying', async () => {
    const object = configMap('posted', place, { a: '1' })
    await api.create(object)
    expect(isAppliedAlready(await live(object), object)).toBe(false)
  })
})
