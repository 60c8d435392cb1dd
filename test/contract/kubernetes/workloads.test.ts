/** Applied workloads become ready or say why not: on nodes that run pods (host) and on fake nodes (member). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KubeObject, refOf } from '../../../src/kube/api/object.ts'
import { podTrouble } from '../../../src/kube/waiting/pod-trouble.ts'
import { judge } from '../../../src/kube/waiting/readiness.ts'
import { waitReady } from '../../../src/kube/waiting/wait.ts'
import { deploymentObject, failureOf } from '../../support/kube.ts'
import { belongings, eventually, gone, waitOptions } from './belongings.ts'
import { onRealServers, target } from './target.ts'

const clusters = await target()
const image = (onRealServers && process.env.COE_E2E_POD_IMAGE) || 'busybox:1.35'
const pods = { apiVersion: 'v1', kind: 'Pod' }

describe.runIf(clusters.there).each(['host', 'member'] as const)('on the %s, a Deployment', where => {
  const { api } = clusters[where]
  const ours = belongings(api)
  let place: string
  const deployment = (name: string, changes: object = {}, from = image): KubeObject => {
    const object = deploymentObject(name, place, from)
    const { spec } = object.spec.template
    Object.assign(spec, { terminationGracePeriodSeconds: 1 }, changes)
    spec.containers[0].command = ['sleep', '3600']
    return object
  }
  const podsOf = async (name: string) => (await api.list(pods, { namespace: place, labels: `app=${name}` })).items
  /** A node reports that it pulls an image before it reports that there is none. */
  const trouble = (object: KubeObject) =>
    eventually('its pods to say what is wrong', async () => {
      const found = await podTrouble(api, object, waitOptions().signal)
      return found?.text.includes('is not started yet') ? undefined : found
    })

  beforeAll(async () => {
    place = await ours.namespace('work')
  })
  afterAll(() => ours.removeAll())

  it('becomes ready, with pods that belong to it on nodes of the cluster', async () => {
    const { object } = await api.apply(deployment('web'))
    const seen: string[] = []
    await waitReady(api, [object], { ...waitOptions(), tell: text => seen.push(text) })
    const live = await api.get(refOf(object))
    expect(live?.status).toMatchObject({ observedGeneration: 1, replicas: 1, availableReplicas: 1 })
    const [pod] = await podsOf('web')
    expect(pod).toMatchObject({
      metadata: { name: expect.stringMatching(/^web-/), ownerReferences: [{ kind: 'ReplicaSet', controller: true }] },
      status: { phase: 'Running', podIP: expect.any(String) },
    })
    const nodes = await api.list({ apiVersion: 'v1', kind: 'Node' })
    expect(nodes.items.map(node => node.metadata.name)).toContain(pod?.spec.nodeName)
  })

  it('loses its pods when it is deleted', async () => {
    const { object } = await api.apply(deployment('short'))
    await waitReady(api, [object], waitOptions())
    await api.delete(refOf(object), { propagation: 'Foreground' })
    await gone(api, refOf(object))
    await eventually('no pod', async () => ((await podsOf('short')).length === 0 ? true : undefined))
  })

  it('whose image cannot be pulled is reported by its pod, and not awaited', async () => {
    const { object } = await api.apply(deployment('broken', {}, 'registry.invalid/no-such-image:1'))
    expect(await trouble(object)).toMatchObject({
      hopeless: true,
      text: expect.stringMatching(
        /^pod broken-\S+ cannot get its image registry.invalid\/no-such-image:1 \((ErrImagePull|ImagePullBackOff): /,
      ),
      hint: expect.stringContaining('registry'),
    })
    const error = await failureOf(waitReady(api, [object], waitOptions()))
    expect(error.message).toMatch(/^Deployment \S+\/broken cannot become ready: pod broken-\S+ cannot get its image/)
  })

  it('that fits no node reports it', async () => {
    const { object } = await api.apply(deployment('homeless', { nodeSelector: { 'coe-contract/nowhere': 'x' } }))
    const { text, hopeless } = await trouble(object)
    expect(text).toMatch(
      /^pod homeless-\S+ cannot be scheduled: 0\/\d+ nodes are available: .*didn't match Pod's node affinity\/selector/,
    )
    expect(hopeless).toBe(false)
  })

  it('whose account is missing has no pods, and reports why', async () => {
    const { object } = await api.apply(deployment('unaccounted', { serviceAccountName: 'never-was' }))
    const why = await eventually('the Deployment to say why', async () => {
      const verdict = judge((await api.get(refOf(object))) as KubeObject)
      return verdict.why.startsWith('its pods are refused') ? verdict.why : undefined
    })
    expect(why).toMatch(
      / forbidden: error looking up service account \S+\/never-was: serviceaccount "never-was" not found$/,
    )
    expect(await podsOf('unaccounted')).toEqual([])
  })
})

describe.runIf(clusters.there)('logs', () => {
  const { api } = clusters.host
  const ours = belongings(api)
  afterAll(() => ours.removeAll())

  it('are empty, not refused, for a missing pod', async () => {
    const place = await ours.namespace('logs')
    expect(await api.logs({ ...pods, name: 'never-was', namespace: place }, { lines: 5 })).toBeUndefined()
  })
})

afterAll(() => clusters.close())
