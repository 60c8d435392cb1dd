import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { poll } from '../../../src/core/poll.ts'
import { systemClock } from '../../../src/core/time.ts'
import type { ClusterApi, WatchEvent } from '../../../src/kube/api/cluster-api.ts'
import { type KubeObject, refOf } from '../../../src/kube/api/object.ts'
import { waitGone, waitReady } from '../../../src/kube/waiting/wait.ts'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { configMap, connectAdmin, deploymentObject, failureOf, namespaceObject } from '../../support/kube.ts'

let sandbox: KubeSandbox
let api: ClusterApi
const ns = 'kp-wait'

beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0, host: { defaultStorageClass: false } })
  api = await connectAdmin(sandbox.host)
  await api.create(namespaceObject(ns))
})
afterAll(() => sandbox.close())

/** Ten times as fast: the sandbox need not be waited for as a cluster is. */
const quickClock = {
  now: systemClock.now,
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 10, signal),
}
const options = (timeoutMs = 10_000, told: string[] = []) => ({
  clock: quickClock,
  signal: new AbortController().signal,
  timeoutMs,
  tell: (text: string) => void told.push(text),
})
async function openNode(): Promise<void> {
  const [node] = (await api.list({ apiVersion: 'v1', kind: 'Node' }, {})).items
  await api.apply({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: node?.metadata.name ?? '', labels: { open: 'yes' } },
  })
}
const applied = async (object: KubeObject) => (await api.apply(object)).object

describe('waiting for what was applied', () => {
  test('ends when all is ready, with one request for each kind', async () => {
    // they start once we were told that they have not: else both may be ready before the first look
    const late = (name: string) => {
      const object = deploymentObject(name, ns)
      Object.assign(object.spec.template.spec, { nodeSelector: { open: 'yes' } })
      return applied(object)
    }
    const objects = await Promise.all(['one', 'two'].map(late))
    const asked = () => sandbox.host.log.all().filter(r => r.url.includes('/deployments')).length
    const before = asked()
    const told: string[] = []
    let opened: Promise<unknown> | undefined
    const tell = (text: string) => {
      told.push(text)
      opened ??= openNode()
    }
    await waitReady(api, objects, { ...options(), tell })
    await opened
    expect(asked() - before).toBe(2) // a list and a watch
    for (const name of ['one', 'two']) {
      const live = await api.get({ apiVersion: 'apps/v1', kind: 'Deployment', name, namespace: ns })
      expect(live?.status.availableReplicas).toBe(1)
    }
    expect(told.join('\n')).toMatch(/Deployment (one|two): 0 of 1/)
  })

  test('asks nothing of what is ready already', async () => {
    const ready = await api.get({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'one', namespace: ns })
    const before = sandbox.host.log.all().length
    await waitReady(api, [ready as KubeObject], options())
    expect(sandbox.host.log.all().length).toBe(before)
  })

  test('fails at once when an image cannot be had, and names pod and image', async () => {
    const bad = await applied(deploymentObject('bad', ns, 'example.org/no-such-image:1'))
    const started = Date.now()
    const error = await failureOf(waitReady(api, [bad], options(60_000)))
    expect(Date.now() - started).toBeLessThan(10_000)
    expect(error.message).toMatch(
      /Deployment kp-wait\/bad cannot become ready: pod bad-\S+ cannot get its image example.org\/no-such-image:1/,
    )
    expect(error.hint).toContain('registry')
    expect(error.exitCode).toBe(1)
  })

  test('says at its end why the pod is not scheduled, the claim included', async () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: ns },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }
    await api.apply(claim)
    const object = deploymentObject('stuck', ns)
    object.spec.template.spec.volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]
    const error = await failureOf(waitReady(api, [await applied(object)], options(20_000)))
    expect(error.message).toMatch(
      /gave up waiting after 20s: Deployment kp-wait\/stuck: pod stuck-\S+ cannot be scheduled: .*PersistentVolumeClaim/,
    )
    expect(error.hint).toContain('StorageClass')
    expect(error.exitCode).toBe(7)
  })

  describe('of which the pod has crashed often before', () => {
    /** Once it is told of, it changes. */
    async function crashing(name: string, change: (pod: KubeObject) => Promise<unknown>) {
      const live = await applied(deploymentObject(name, ns, 'example.org/no-such-image:4'))
      const pods = { apiVersion: 'v1', kind: 'Pod' }
      const look = async () => (await api.list(pods, { namespace: ns, labels: `app=${name}` })).items[0]
      const what = 'its pod to be tried'
      const isTried = async () => ((await look())?.status?.containerStatuses ? look() : undefined)
      const pod = await poll(isTried, { clock: systemClock, timeoutMs: 60_000, intervalMs: 10, what })
      await api.patch(refOf(pod), { status: crashed(6) }, { type: 'merge', subresource: 'status' })
      let changed: Promise<unknown> | undefined
      const tell = (text: string) => {
        if (text.includes('was restarted 6 times')) changed ??= change(pod)
      }
      return { ended: waitReady(api, [live], { ...options(600_000), tell }), changed: () => changed }
    }
    const crashed = (restartCount: number) => ({
      phase: 'Running',
      containerStatuses: [
        { name: 'main', image: 'x', restartCount, ready: false, state: { waiting: { reason: 'CrashLoopBackOff' } } },
      ],
    })
    const become = (status: object) => (pod: KubeObject) =>
      api.patch(refOf(pod), { status }, { type: 'merge', subresource: 'status' })

    test('goes on when it starts in the end', async () => {
      const ready = [{ type: 'Ready', status: 'True' }]
      const started = { ...crashed(6).containerStatuses[0], ready: true, state: { running: {} } }
      const { ended, changed } = await crashing('mended', become({ conditions: ready, containerStatuses: [started] }))
      await ended
      expect(await changed()).toBeDefined()
    })

    test('fails when it crashes once more', async () => {
      const { ended } = await crashing('beyond', become(crashed(7)))
      expect((await failureOf(ended)).message).toMatch(/Deployment kp-wait\/beyond cannot become ready: pod .* 7 times/)
    })
  })

  test('ends in time, though nobody tells why it is not ready', async () => {
    const dumb = await applied(deploymentObject('dumb', ns, 'example.org/no-such-image:3'))
    const silence = { path: /\/(events|pods)/, effect: { kind: 'silence-before' }, times: 100 } as const
    const fault = sandbox.host.faults.order(silence)
    const started = Date.now()
    const error = await failureOf(waitReady(api, [dumb], options(1_000)))
    expect(Date.now() - started).toBeLessThan(8_000)
    expect(error.message).toMatch(/^gave up waiting after 1s: Deployment kp-wait\/dumb: 0 of 1/)
    fault.remove()
  })

  test('ends with the signal', async () => {
    const stop = new AbortController()
    const object = await applied(deploymentObject('never', ns, 'example.org/no-such-image:2'))
    const waiting = waitReady(api, [object], { ...options(60_000), signal: stop.signal })
    stop.abort(new Error('enough'))
    expect((await failureOf(waiting)).message).toBe('enough')
  })
})

describe('waiting until something is gone', () => {
  test('resolves when a namespace has gone with all that was in it', async () => {
    await api.create(namespaceObject('kp-goes'))
    await api.create(configMap('in-it', 'kp-goes'))
    const ref = { apiVersion: 'v1', kind: 'Namespace', name: 'kp-goes' }
    await api.delete(ref)
    await waitGone(api, ref, options())
    expect(await api.exists(ref)).toBe(false)
  })

  test('says who holds it when it does not go', async () => {
    const held = configMap('held', ns)
    held.metadata.finalizers = ['example.org/keep']
    await api.create(held)
    const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'held', namespace: ns }
    await api.delete(ref)
    const error = await failureOf(waitGone(api, ref, options(10_000)))
    expect(error.message).toBe('ConfigMap kp-wait/held still exists after 10s: held by example.org/keep')
    await api.patch(ref, { metadata: { finalizers: null } }, { type: 'merge' })
    await waitGone(api, ref, options())
  })
})

describe('watching', () => {
  const kind = { apiVersion: 'v1', kind: 'ConfigMap' }
  async function watched(
    labels: string,
    until: (events: string[]) => boolean,
    act: (events: string[]) => Promise<void>,
  ) {
    const stop = new AbortController()
    const events: string[] = []
    const text = (e: WatchEvent) =>
      e.type === 'all' ? `all ${e.items.map(i => i.metadata.name).sort()}` : `${e.type} ${e.object.metadata.name}`
    for await (const event of api.watch(kind, { namespace: ns, labels, signal: stop.signal })) {
      events.push(text(event))
      if (until(events)) break
      await act(events)
    }
    stop.abort()
    return events
  }
  const labelled = (name: string, set: string) => ({
    ...configMap(name, ns),
    metadata: { name, namespace: ns, labels: { set } },
  })

  test('goes on where it was when the connection is cut', async () => {
    await api.create(labelled('w1', 'cut'))
    sandbox.host.faults.order({ method: 'GET', path: /watch=true/, effect: { kind: 'truncate', bytes: 40 }, times: 1 })
    const events = await watched(
      'set=cut',
      e => e.includes('set w3'),
      async e => {
        if (e.length === 1) {
          await api.create(labelled('w2', 'cut'))
          await api.create(labelled('w3', 'cut'))
        }
      },
    )
    expect(events).toEqual(['all w1', 'set w2', 'set w3'])
  })

  test('looks at everything anew when the server has forgotten where it was', async () => {
    await api.create(labelled('f1', 'forgot'))
    const expired = {
      kind: 'Status',
      status: 'Failure',
      reason: 'Expired',
      message: 'too old resource version',
      code: 410,
    }
    sandbox.host.faults.order({
      method: 'GET',
      path: /watch=true/,
      effect: { kind: 'answer', status: 410, body: expired },
      times: 1,
    })
    const events = await watched(
      'set=forgot',
      e => e.length === 3,
      async e => {
        if (e.length === 2) await api.delete({ ...kind, name: 'f1', namespace: ns })
      },
    )
    expect(events).toEqual(['all f1', 'all f1', 'gone f1'])
  })
})
