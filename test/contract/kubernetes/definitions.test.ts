/** Kinds that are defined while coe runs, like those of a federation's engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTrue, type KubeObject, refOf } from '../../../src/kube/api/object.ts'
import { waitReady } from '../../../src/kube/waiting/wait.ts'
import { failureOf } from '../../support/kube.ts'
import { belongings, eventually, gone, waitOptions } from './belongings.ts'
import { target } from './target.ts'

const clusters = await target()
const { api } = clusters.host
const ours = belongings(api)
const group = `${ours.name('castles')}.example`
const kind = { apiVersion: `${group}/v1`, kind: 'Sandcastle' }
const castle = (name: string, spec: object = { towers: 2 }): KubeObject => ({ ...kind, metadata: { name }, spec })

const definition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `sandcastles.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { plural: 'sandcastles', singular: 'sandcastle', kind: 'Sandcastle', listKind: 'SandcastleList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', required: ['towers'], properties: { towers: { type: 'integer', minimum: 1 } } },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
}

beforeAll(async () => {
  if (!clusters.there) return
  expect(await api.serves(kind)).toBe(false)
  const { object } = await api.apply(ours.note(definition))
  await waitReady(api, [object], waitOptions())
})
afterAll(async () => {
  await ours.removeAll()
  await clusters.close()
})

describe.runIf(clusters.there)('a definition', () => {
  it('is established, and then its kind is served', async () => {
    const live = await api.get(refOf(definition))
    expect(live && isTrue(live, 'Established') && isTrue(live, 'NamesAccepted')).toBe(true)
    await eventually('the kind to be served', async () => (await api.serves(kind)) || undefined)
  })

  it('has objects that are applied, listed and changed like all others', async () => {
    expect((await api.apply(castle('applied'))).result).toBe('created')
    expect((await api.get(refOf(castle('applied'))))?.metadata.generation).toBe(1)
    const { object } = await api.apply(castle('applied', { towers: 3 }))
    expect(object).toMatchObject({ metadata: { generation: 2 }, spec: { towers: 3 } })
    const status = await api.patch(refOf(object), { status: { wet: true } }, { type: 'merge', subresource: 'status' })
    expect(status).toMatchObject({ metadata: { generation: 2 }, status: { wet: true } })
    expect((await api.list(kind)).items.map(i => i.metadata.name)).toContain('applied')
  })

  it('is found without discovery by a client that knows its path', async () => {
    const stranger = clusters.host.as('') // a new connection, without any request yet
    stranger.learn([{ ...kind, plural: 'sandbuckets', namespaced: true }])
    api.learn([{ ...kind, plural: 'sandcastles', namespaced: false }])
    expect((await api.list(kind)).items.map(i => i.metadata.name)).toContain('applied')
    await expect(stranger.get({ ...kind, name: 'applied' })).rejects.toThrow('needs a namespace')
  })

  it('refuses objects that violate its schema, with the field', async () => {
    for (const spec of [{ towers: 'two' }, { towers: 0 }, {}]) {
      const error = await failureOf(api.create(castle('bad', spec)))
      expect(error.message).toContain('spec.towers')
      expect(error.details).toMatchObject({ status: 422, reason: 'Invalid' })
    }
  })

  it('has a generation that changes only with its spec', async () => {
    const generation = async (object: KubeObject) => (await api.apply(object)).object.metadata.generation as number
    const first = await generation(definition)
    expect(await generation(definition)).toBe(first)
    expect(await generation({ ...definition, metadata: { ...definition.metadata, labels: { a: 'b' } } })).toBe(first)
    const { names } = definition.spec
    const patch = { spec: { names: { ...names, shortNames: ['sc'] } } }
    expect((await api.patch(refOf(definition), patch, { type: 'merge' })).metadata.generation).toBe(first + 1)
    const { items } = await api.list(
      { apiVersion: definition.apiVersion, kind: definition.kind },
      { labels: 'a=b', metadataOnly: true },
    )
    expect(items.filter(i => i.metadata.name === definition.metadata.name)).toMatchObject([
      { metadata: { generation: first + 1 } },
    ])
  })

  it('that is deleted deletes its objects, and its kind is no longer served', async () => {
    await api.delete(refOf(definition))
    await gone(api, refOf(definition))
    const statusOf = async () => (await api.raw({ method: 'GET', path: `/apis/${group}/v1` })).status
    await eventually('the kind to be served no more', async () => ((await statusOf()) === 404 ? true : undefined))
  })
})
