import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { interrupted } from '../../../src/core/errors.ts'
import { nextStep } from '../../../src/core/next-step.ts'
import { systemClock } from '../../../src/core/time.ts'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import { base64 } from '../../../src/kube/api/object.ts'
import { runPlan } from '../../../src/plan/engine.ts'
import { runRemoval } from '../../../src/plan/remove.ts'
import type { Plan, Step } from '../../../src/plan/step.ts'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import {
  configMap,
  connectAdmin,
  deploymentObject,
  failureOf,
  namespaceObject,
  recordingReport,
} from '../../support/kube.ts'

let sandbox: KubeSandbox
let api: ClusterApi

beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  api = await connectAdmin(sandbox.host)
})
afterAll(() => sandbox.close())

interface Outputs {
  port: number
  key: string
}

const owner = (uuid = 'uuid-1') => ({
  what: 'federation' as const,
  key: 'coe/federation-uuid',
  labels: { 'coe/federation': 'f', 'coe/federation-uuid': uuid },
})

const planOf = (steps: Step<Outputs>[], more: Partial<Plan<Outputs>> = {}): Plan<Outputs> => ({
  title: 'create federation "f"',
  steps,
  clusters: { host: { title: 'host "host"', connect: async () => api } },
  owner: owner(),
  ...more,
})

const resume = nextStep('resume', 'federation create', 'f')

function run(plan: Plan<Outputs>, changes: { wait?: boolean; signal?: AbortSignal; waitTimeoutMs?: number } = {}) {
  const report = recordingReport()
  const signal = changes.signal ?? new AbortController().signal
  const op = { wait: true, waitTimeoutMs: 20_000, dryRun: false, signal, report, ...changes }
  return { report, result: runPlan(plan, { op, clock: systemClock, resume }) }
}

const service = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace },
  spec: { type: 'NodePort', selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] },
})

/** A namespace, a service whose port others need, a key, and a server that needs both. */
const usual = (ns: string): Step<Outputs>[] => [
  {
    id: 'server',
    title: 'the server',
    needs: ['address', 'keys'],
    want: o => [
      deploymentObject('web', ns),
      configMap('settings', ns, { url: `https://here:${o.port}` }),
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', namespace: ns }, data: { key: base64(o.key) } },
    ],
  },
  {
    id: 'address',
    title: 'where it will be',
    needs: ['place'],
    gives: ['port'],
    want: () => [service(ns)],
    async ready(_, { api }) {
      const live = await api.get({ apiVersion: 'v1', kind: 'Service', name: 'web', namespace: ns })
      const port = live?.spec.ports[0].nodePort
      return port ? { port } : undefined
    },
  },
  { id: 'keys', title: 'keys', gives: ['key'], secrets: ['key'], act: async () => ({ key: 'made' }) },
  { id: 'place', title: 'a place of its own', want: () => [namespaceObject(ns)] },
]

const madeBefore: NonNullable<Step<Outputs>['act']> = async (_, tools) => {
  tools.changedNothing()
  return { key: 'made' }
}

describe('a plan', () => {
  test('is carried out as its needs allow, and passes outputs on', async () => {
    const { report, result } = run(planOf(usual('kp-run')))
    const { outputs, changed, steps } = await result
    expect(changed).toBe(true)
    expect(steps.map(s => `${s.id} ${s.result}`)).toEqual([
      'server created',
      'address created',
      'keys done',
      'place created',
    ])
    const settings = await api.get({ apiVersion: 'v1', kind: 'ConfigMap', name: 'settings', namespace: 'kp-run' })
    expect(settings?.data.url).toBe(`https://here:${outputs.port}`)
    expect(settings?.metadata.labels).toMatchObject(owner().labels)
    const web = await api.get({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'kp-run' })
    expect(web?.status.availableReplicas).toBe(1)
    const at = (line: string) => report.lines.findIndex(l => l.startsWith(line))
    expect(at('done place')).toBeLessThan(at('step address'))
    expect(at('done address')).toBeLessThan(at('step server'))
  })

  test('looks at nothing before it writes into a namespace that it has just made', async () => {
    const before = sandbox.host.log.all().length
    await run(planOf(usual('kp-fresh').slice(1))).result
    const sent = sandbox.host.log
      .all()
      .slice(before)
      .map(r => `${r.method} ${r.url.split('?')[0]}`)
    expect(sent).toEqual([
      'GET /api/v1/namespaces/kp-fresh',
      'PATCH /api/v1/namespaces/kp-fresh',
      'PATCH /api/v1/namespaces/kp-fresh/services/web',
      'GET /api/v1/namespaces/kp-fresh/services/web',
    ])
  })

  test('changes nothing when run again', async () => {
    await run(planOf(usual('kp-again'))).result
    const steps = usual('kp-again').map(s => (s.id === 'keys' ? { ...s, act: madeBefore } : s))
    const before = await api.list({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'kp-again' })
    const { steps: ends, changed } = await run(planOf(steps)).result
    expect(changed).toBe(false)
    expect(ends.every(e => e.result === 'unchanged')).toBe(true)
    const after = await api.list({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'kp-again' })
    expect(after.items.map(i => i.metadata.resourceVersion)).toEqual(before.items.map(i => i.metadata.resourceVersion))
  })

  test('leaves a step alone whose work stands', async () => {
    const step: Step<Outputs> = {
      id: 'place',
      title: 'a place',
      alreadyDone: async () => ({ port: 7 }),
      want: () => [namespaceObject('kp-never-made')],
    }
    const { outputs, changed } = await run(planOf([step])).result
    expect([outputs.port, changed]).toEqual([7, false])
    expect(await api.exists({ apiVersion: 'v1', kind: 'Namespace', name: 'kp-never-made' })).toBe(false)
  })

  test('takes steps that do not need each other side by side', async () => {
    let open: () => void = () => {}
    const gate = new Promise<void>(resolve => {
      open = resolve
    })
    const waits: Step<Outputs> = { id: 'waits', title: 'waits for the other', act: () => gate.then(() => undefined) }
    const opens: Step<Outputs> = {
      id: 'opens',
      title: 'opens the gate',
      async act() {
        open()
        return undefined
      },
    }
    await run(planOf([waits, opens])).result // one after the other, this would never end
  })

  test('does not wait for what nobody needs, when told not to', async () => {
    const ns = 'kp-nowait'
    const { result } = run(
      planOf([
        usual(ns)[3] as Step<Outputs>,
        {
          id: 'web',
          title: 'never ready',
          needs: ['place'],
          want: () => [deploymentObject('web', ns, 'no-such-image')],
        },
      ]),
      { wait: false },
    )
    expect((await result).changed).toBe(true)
  })

  test('with needs that cannot be met is told before anything is done', async () => {
    const before = sandbox.host.log.all().length
    const a: Step<Outputs> = { id: 'a', title: 'a', needs: ['b'] }
    const b: Step<Outputs> = { id: 'b', title: 'b', needs: ['a'], want: () => [namespaceObject('kp-circle')] }
    expect((await failureOf(run(planOf([a, b])).result)).message).toContain('cycle')
    expect((await failureOf(run(planOf([a])).result)).message).toContain('step a needs b')
    expect(sandbox.host.log.all().length).toBe(before)
  })
})

describe('a plan that fails', () => {
  test('in two places side by side tells the first in its order, whichever fails sooner', async () => {
    const broken = (id: string, turns: number): Step<Outputs> => ({
      id,
      title: id,
      async act() {
        for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
        throw new Error(`${id} is broken`)
      },
    })
    const { message } = await failureOf(run(planOf([broken('slow', 5), broken('fast', 1)])).result)
    expect(message).toContain('slow is broken')
  })

  test('says where and why, what stands, and the step to go on with; later steps are not begun', async () => {
    const ns = 'kp-fails'
    const broken: Step<Outputs>[] = [
      ...usual(ns).filter(s => s.id !== 'server'),
      {
        id: 'server',
        title: 'the server',
        needs: ['address'],
        want: () => [deploymentObject('web', ns, 'example.org/no-such-image')],
      },
      { id: 'last', title: 'comes last', needs: ['server'], want: () => [configMap('last', ns)] },
    ]
    const { report, result } = run(planOf(broken))
    const error = await failureOf(result)
    expect(error.message).toMatch(
      /^cannot create federation "f": server: Deployment kp-fails\/web cannot become ready: pod .* image example.org\/no-such-image/,
    )
    expect(error.hint).toContain('registry')
    expect(error.next).toEqual([resume])
    expect(error.details?.steps).toEqual({
      done: ['keys', 'place', 'address'],
      unfinished: ['server'],
      not_started: ['last'],
    })
    expect(report.lines.some(l => l.startsWith('fail server'))).toBe(true)
    expect(await api.exists({ apiVersion: 'v1', kind: 'ConfigMap', name: 'last', namespace: ns })).toBe(false)
  })

  test('goes on where it stopped when run again', async () => {
    const ns = 'kp-resume'
    const fault = sandbox.host.faults.order({
      method: 'PATCH',
      path: /configmaps\/settings/,
      effect: { kind: 'answer', status: 500 },
    })
    expect((await failureOf(run(planOf(usual(ns))).result)).message).toContain(
      'failed to apply ConfigMap kp-resume/settings (500)',
    )
    fault.remove()
    const { steps } = await run(planOf(usual(ns))).result
    expect(steps.map(s => `${s.id} ${s.result}`)).toContain('address unchanged')
    expect(steps.map(s => `${s.id} ${s.result}`)).toContain('server created')
  })

  test('has not touched what is not its own, and says whose it is', async () => {
    const ns = 'kp-foreign'
    await api.create(namespaceObject(ns))
    const stranger = await failureOf(run(planOf(usual(ns))).result)
    expect(stranger.message).toContain('Namespace kp-foreign exists already, and coe did not make it')
    expect(stranger.exitCode).toBe(5)
    const adopted = run(planOf(usual(ns).slice(3), { owner: { ...owner(), adopt: true } }))
    await adopted.result
    const other = await failureOf(run(planOf(usual(ns), { owner: { ...owner('uuid-2'), adopt: true } })).result)
    expect(other.message).toContain('belongs to another federation (uuid-1)')
    const labels = { 'coe/cluster-uuid': 'uuid-3' }
    const cluster = { what: 'cluster', key: 'coe/cluster-uuid', labels, adopt: true } as const
    const crossed = await failureOf(run(planOf(usual(ns), { owner: cluster })).result)
    expect(crossed).toMatchObject({ outcome: 'conflict', details: { object: { kind: 'Namespace', name: ns } } })
    expect(crossed.message).toContain('belongs to a federation (uuid-1)')
    const live = await api.get({ apiVersion: 'v1', kind: 'Namespace', name: ns })
    expect(live?.metadata.labels).toMatchObject(owner('uuid-1').labels)
  })

  test('checks all objects of a step before it writes one of them', async () => {
    const ns = 'kp-half'
    await run(planOf(usual(ns).slice(3))).result
    await api.create(configMap('taken', ns, { whose: 'theirs' }))
    const want = () => [configMap('a', ns), configMap('b', ns), configMap('taken', ns, { whose: 'ours' })]
    await failureOf(run(planOf([{ id: 'maps', title: 'maps', want }])).result)
    const { items } = await api.list({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: ns })
    expect(items.filter(i => ['a', 'b'].includes(i.metadata.name ?? ''))).toEqual([])
    expect(items.find(i => i.metadata.name === 'taken')?.data.whose).toBe('theirs')
  })

  test('with a bug in a step shows the bug, not an error that the user could mend', async () => {
    const step: Step<Outputs> = {
      id: 'bug',
      title: 'bug',
      act: () => Promise.reject(new TypeError('x is not a function')),
    }
    expect((await failureOf(run(planOf([step])).result)).name).toBe('TypeError')
  })

  test('when stopped, says what stands and how to go on', async () => {
    const stop = new AbortController()
    const ns = 'kp-stop'
    const steps: Step<Outputs>[] = [
      usual(ns)[3] as Step<Outputs>,
      {
        id: 'web',
        title: 'web',
        needs: ['place'],
        want: () => [deploymentObject('web', ns, 'web:1', 1)],
        async ready() {
          stop.abort(interrupted('stopped'))
          return undefined
        },
      },
    ]
    const error = await failureOf(run(planOf(steps), { signal: stop.signal }).result)
    expect(error.exitCode).toBe(130)
    expect(error.message).toBe(
      'interrupted before it could create federation "f": 1 of 2 steps done: place; not finished: web',
    )
    expect(error.next).toEqual([resume])
  })

  test('gives up in time, with the hint of the step', async () => {
    const step: Step<Outputs> = {
      id: 'address',
      title: 'an address',
      timeoutMs: 400,
      hint: 'use --expose nodeport',
      async ready(_, tools) {
        tools.tell('no address yet')
        return undefined
      },
    }
    const error = await failureOf(run(planOf([step])).result)
    expect(error.message).toContain('gave up waiting for address (an address) after 0.4s; last seen: no address yet')
    expect(error.hint).toMatch(/^use --expose nodeport/)
    expect(error.exitCode).toBe(7)
  })

  test('ends a look that lasts longer than there is time for', async () => {
    const step: Step<Outputs> = {
      id: 'member',
      title: 'a member',
      async ready(_, { signal, tell }) {
        tell('not ready')
        await systemClock.sleep(30_000, signal)
        return {}
      },
      timeoutMs: 300,
    }
    const began = Date.now()
    const error = await failureOf(run(planOf([step])).result)
    expect(error.message).toContain('gave up waiting for member (a member) after 0.3s; last seen: not ready')
    expect(Date.now() - began).toBeLessThan(5_000)
  })
})

describe('a plan that takes away', () => {
  const removal = (ns: string): Plan<Outputs> =>
    planOf([{ id: 'all', title: 'all of it', unwanted: () => [{ apiVersion: 'v1', kind: 'Namespace', name: ns }] }], {
      title: 'delete federation "f"',
      leftovers: [
        { on: 'host', kind: { apiVersion: 'v1', kind: 'Namespace' } },
        { on: 'host', kind: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' } },
        { on: 'host', kind: { apiVersion: 'gone.example/v1', kind: 'NeverServed' } },
      ],
      owner: owner(`uuid-${ns}`),
    })
  const remove = nextStep('resume', 'federation delete', 'f')
  const engine = () => {
    const signal = new AbortController().signal
    const op = { wait: true, waitTimeoutMs: 20_000, dryRun: false, signal, report: recordingReport() }
    return {
      op,
      resume: remove,
      clock: { now: systemClock.now, sleep: (ms: number, s?: AbortSignal) => systemClock.sleep(ms / 50, s) },
    }
  }
  const make = (ns: string) => run(planOf(usual(ns), { owner: owner(`uuid-${ns}`) })).result

  test('waits until all is gone; a second time there is nothing to do', async () => {
    await make('kp-del')
    expect((await runRemoval(removal('kp-del'), engine())).changed).toBe(true)
    expect(await api.exists({ apiVersion: 'v1', kind: 'Namespace', name: 'kp-del' })).toBe(false)
    expect((await runRemoval(removal('kp-del'), engine())).changed).toBe(false)
  })

  test('leaves what is not ours', async () => {
    await api.create(namespaceObject('kp-theirs'))
    expect((await runRemoval(removal('kp-theirs'), engine())).changed).toBe(false)
    expect(await api.exists({ apiVersion: 'v1', kind: 'Namespace', name: 'kp-theirs' })).toBe(true)
  })

  test('looks again, and tells what is left', async () => {
    const labels = owner('uuid-kp-left').labels
    await make('kp-left')
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'kp-left', labels },
      rules: [],
    }
    await api.create(role)
    const clock = {
      now: (() => {
        let t = 0
        return () => (t += 1_000)
      })(),
      sleep: engine().clock.sleep,
    }
    const error = await failureOf(runRemoval(removal('kp-left'), { ...engine(), clock }))
    expect(error.message).toBe('cannot delete federation "f": 1 object is left: ClusterRole kp-left on host "host"')
    expect(error.next).toEqual([remove])
  })
})
