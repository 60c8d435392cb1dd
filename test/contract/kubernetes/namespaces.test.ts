/** Deletion: namespaces that wait until they are empty, finalizers, and dependents of a deleted owner. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conditionOf, type KubeObject, refOf } from '../../../src/kube/api/object.ts'
import { configMap, failureOf, namespaceObject } from '../../support/kube.ts'
import { belongings, eventually, gone } from './belongings.ts'
import { target } from './target.ts'

const clusters = await target()
const { api } = clusters.host
const ours = belongings(api)
const finalizers = ['coe-contract.example/hold']
const release = (object: KubeObject) => api.patch(refOf(object), { metadata: { finalizers: null } }, { type: 'merge' })
let place: string

beforeAll(async () => {
  if (clusters.there) place = await ours.namespace('ends')
})
afterAll(async () => {
  await ours.removeAll()
  await clusters.close()
})

describe.runIf(clusters.there)('a namespace', () => {
  it('is active at once, and gets its default account and the CA that pods trust', async () => {
    const live = await api.get(refOf(namespaceObject(place)))
    expect(live).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': place } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    })
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', name: 'default', namespace: place }
    await eventually('the default account', async () => (await api.exists(account)) || undefined)
    const trust = refOf(configMap('kube-root-ca.crt', place))
    const found = await eventually('the certificates', () => api.get(trust))
    expect(found.data['ca.crt']).toContain('BEGIN CERTIFICATE')
  })

  it('that is deleted deletes its content, and can be made again afterwards', async () => {
    const name = await ours.namespace('emptied')
    const ref = refOf(namespaceObject(name))
    const first = await api.get(ref)
    await api.create(configMap('inside', name))
    expect(await api.delete(ref)).toBe(true)
    await gone(api, ref)
    expect(await api.exists(refOf(configMap('inside', name)))).toBe(false)
    const second = await api.create(namespaceObject(name))
    expect(second.metadata.uid).not.toBe(first?.metadata.uid)
    expect(await api.exists(refOf(configMap('inside', name)))).toBe(false)
  })

  it('that is terminating waits for finalizers, says so, and refuses new objects', async () => {
    const name = await ours.namespace('held')
    const ref = refOf(namespaceObject(name))
    const held = { ...configMap('held', name), metadata: { name: 'held', namespace: name, finalizers } }
    ours.note(await api.create(held))
    await api.delete(ref)
    expect(await api.get(ref)).toMatchObject({ status: { phase: 'Terminating' } })

    const error = await failureOf(api.create(configMap('late', name)))
    expect(error.message).toContain(`because it is being terminated`)
    expect(error.hint).toContain('wait until it is gone')
    expect(error.details).toMatchObject({
      status: 403,
      reason: 'Forbidden',
      causes: [{ reason: 'NamespaceTerminating' }],
    })
    expect(error.exitCode).toBe(1)
    expect((await failureOf(api.apply(configMap('late', name)))).details).toMatchObject({ status: 403 })
    const again = await failureOf(api.create(namespaceObject(name)))
    expect(again.message).toMatch(/exists already$/)

    const condition = await eventually('the namespace to say what holds it', async () => {
      const live = await api.get(ref)
      const found = live && conditionOf(live, 'NamespaceFinalizersRemaining')
      return found?.status === 'True' ? found : undefined
    })
    expect(condition.message).toBe(
      'Some content in the namespace has finalizers remaining: coe-contract.example/hold in 1 resource instances',
    )
    await release(held)
    await gone(api, ref)
  })
})

describe.runIf(clusters.there)('a finalizer', () => {
  it('keeps a deleted object until it is removed', async () => {
    const object = { ...configMap('final', place), metadata: { name: 'final', namespace: place, finalizers } }
    ours.note(await api.create(object))
    expect(await api.delete(refOf(object))).toBe(true)
    const live = await api.get(refOf(object))
    expect(live?.metadata).toMatchObject({ finalizers, deletionTimestamp: expect.any(String) })
    expect(await api.delete(refOf(object))).toBe(true)
    await release(object)
    expect(await api.exists(refOf(object))).toBe(false)
  })

  it('cannot be added to an object that is being deleted', async () => {
    const object = { ...configMap('too-late', place), metadata: { name: 'too-late', namespace: place, finalizers } }
    ours.note(await api.create(object))
    await api.delete(refOf(object))
    const patch = { metadata: { finalizers: [...finalizers, 'coe-contract.example/more'] } }
    const error = await failureOf(api.patch(refOf(object), patch, { type: 'merge' }))
    expect(error.message).toContain('no new finalizers can be added if the object is being deleted')
    expect(error.details).toMatchObject({ status: 422, reason: 'Invalid' })
    await release(object)
  })
})

describe.runIf(clusters.there)('what belongs to an owner', () => {
  async function family(name: string): Promise<{ owner: KubeObject; child: KubeObject }> {
    const owner = await api.create(configMap(`${name}-owner`, place))
    const { apiVersion, kind, metadata } = owner
    const ownerReferences = [
      { apiVersion, kind, name: metadata.name as string, uid: metadata.uid as string, blockOwnerDeletion: true },
    ]
    const child = configMap(`${name}-child`, place)
    return { owner, child: await api.create({ ...child, metadata: { ...child.metadata, ownerReferences } }) }
  }

  it('is deleted after it', async () => {
    const { owner, child } = await family('background')
    await api.delete(refOf(owner))
    await gone(api, refOf(owner))
    await gone(api, refOf(child))
  })

  it('is deleted before it on request', async () => {
    const { owner, child } = await family('foreground')
    await api.delete(refOf(owner), { propagation: 'Foreground' })
    await gone(api, refOf(owner))
    expect(await api.exists(refOf(child))).toBe(false)
  })

  it('stays, without owner, on request', async () => {
    const { owner, child } = await family('orphan')
    await api.delete(refOf(owner), { propagation: 'Orphan' })
    await gone(api, refOf(owner))
    expect((await api.get(refOf(child)))?.metadata.ownerReferences).toBeUndefined()
  })

  it('is also deleted if its owner never existed', async () => {
    const { child } = await family('never')
    const uid = '00000000-0000-4000-8000-000000000000'
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never-was', uid }]
    await api.patch(refOf(child), { metadata: { ownerReferences } }, { type: 'merge' })
    await gone(api, refOf(child))
  })
})
