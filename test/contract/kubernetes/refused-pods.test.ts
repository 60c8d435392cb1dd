/** Pods that a namespace never admits, and volumes without a provisioner: what a cluster reports, and where. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KubeObject, refOf } from '../../../src/kube/api/object.ts'
import { podTrouble } from '../../../src/kube/waiting/pod-trouble.ts'
import { deploymentObject } from '../../support/kube.ts'
import { belongings, eventually, waitOptions } from './belongings.ts'
import { target } from './target.ts'

const clusters = await target()

describe.runIf(clusters.there)('a namespace that admits no pod', () => {
  const { api } = clusters.host
  const ours = belongings(api)
  let place: string
  const live = async (object: KubeObject) => (await api.get(refOf(object))) as KubeObject
  // Reads again each time: a Deployment reports refused pods in its own status, some time after its creation.
  const trouble = (object: KubeObject) =>
    eventually('its pods to be refused', async () => podTrouble(api, await live(object), waitOptions().signal))
  const limited = (name: string, limits: object): KubeObject => {
    const object = deploymentObject(name, place, 'busybox:1.35')
    object.spec.template.spec.containers[0].resources = { limits }
    return object
  }
  const statefulSet = (name: string, more: object = {}): KubeObject => {
    const { spec, ...object } = deploymentObject(name, place, 'busybox:1.35')
    return { ...object, kind: 'StatefulSet', spec: { ...spec, serviceName: name, ...more } }
  }

  beforeAll(async () => {
    place = await ours.namespace('refused')
    await api.create({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'team', namespace: place },
      spec: { hard: { 'limits.cpu': '1', 'limits.memory': '1Gi' } },
    })
    await eventually('the quota to be counted', async () => {
      const tried = limited('counted', { cpu: '2', memory: '1Gi' })
      const { object } = await api.apply(tried)
      const found = await podTrouble(api, await live(object), waitOptions().signal)
      return found?.text.includes('exceeded quota') || undefined
    })
  })
  afterAll(() => ours.removeAll())

  it('is reported on a Deployment, with the requested, used and allowed amounts', async () => {
    const { object } = await api.apply(limited('large', { cpu: '2', memory: '2Gi' }))
    const condition = await eventually('the Deployment to say so', async () =>
      (await live(object)).status?.conditions?.find((c: { type: string }) => c.type === 'ReplicaFailure'),
    )
    expect(condition).toMatchObject({ status: 'True', reason: 'FailedCreate' })
    expect(await trouble(object)).toMatchObject({
      hopeless: true,
      refused: true,
      text: expect.stringMatching(
        /^its pods are refused: pods "large-\S+" is forbidden: exceeded quota: team, requested: limits\.cpu=2,limits\.memory=2Gi, used: limits\.cpu=0,limits\.memory=0, limited: limits\.cpu=1,limits\.memory=1Gi$/,
      ),
    })
  })

  it('is reported for a StatefulSet in an Event, with what must be specified', async () => {
    const { object } = await api.apply(statefulSet('bare'))
    expect(await trouble(object)).toMatchObject({
      hopeless: true,
      text: 'its pods are refused: pods "bare-0" is forbidden: failed quota: team: must specify limits.cpu for: main; limits.memory for: main',
    })
  })

  it('makes its controller try again when the Deployment is annotated', async () => {
    const { object } = await api.apply(limited('later', { cpu: '2', memory: '100Mi' }))
    await trouble(object)
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', name: 'team', namespace: place }
    await api.patch(quota, { spec: { hard: { 'limits.cpu': '8' } } }, { type: 'merge' })
    await eventually('a pod', async () => {
      const annotations = { 'coe/looked-again': new Date().toISOString() }
      await api.patch(refOf(object), { metadata: { annotations } }, { type: 'merge' })
      const pods = await api.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace: place, labels: 'app=later' })
      return pods.items[0]
    })
    await api.delete(quota)
  })
})
