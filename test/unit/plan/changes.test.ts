/** A plan over what stands: what of it would be done is found by looking, and nothing is written. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planText } from '../../../src/cli/print/plan-text.ts'
import { nextStep } from '../../../src/core/next-step.ts'
import { systemClock } from '../../../src/core/time.ts'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import { viewChanges } from '../../../src/plan/changes.ts'
import { runPlan } from '../../../src/plan/engine.ts'
import type { Plan, Step } from '../../../src/plan/step.ts'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { configMap, connectAdmin, failureOf, namespaceObject, recordingReport } from '../../support/kube.ts'

let sandbox: KubeSandbox
let api: ClusterApi
const { signal } = new AbortController()

beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  api = await connectAdmin(sandbox.host)
  await runPlan(plan(), {
    op: { wait: true, waitTimeoutMs: 20_000, dryRun: false, signal, report: recordingReport() },
    clock: systemClock,
    resume: nextStep('resume', 'federation create', 'f'),
  })
})
afterAll(() => sandbox.close())

interface Outputs {
  first: string
  second: string
}

const ns = 'standing'
const ref = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace: ns })
const read = async (of: ClusterApi, name: string) => (await of.get(ref(name)))?.data.value as string | undefined

/** Three steps, each with what the one before gave. */
const steps = (value: string): Step<Outputs>[] => [
  {
    id: 'one',
    title: 'the first',
    gives: ['first'],
    want: () => [namespaceObject(ns), configMap('one', ns, { value })],
    async ready(_, { api }) {
      const first = await read(api, 'one')
      return first === undefined ? undefined : { first }
    },
  },
  {
    id: 'two',
    title: 'the second',
    needs: ['one'],
    gives: ['second'],
    want: ({ first }) => [configMap('two', ns, { value: `${first}, 2` })],
    ready: async (_, { api }) => ({ second: (await read(api, 'two')) ?? '' }),
  },
  {
    id: 'three',
    title: 'the third',
    needs: ['two'],
    want: ({ second }) => [configMap('three', ns, { value: second })],
  },
]

const plan = (value = '1', more: Step<Outputs>[] = []): Plan<Outputs> => ({
  title: 'try it',
  owner: { what: 'federation', key: 'coe/federation-uuid', labels: { 'coe/federation-uuid': 'u' } },
  clusters: { host: { title: 'host "host"', connect: async () => api } },
  steps: [...steps(value), ...more],
})

async function look(of: Plan<Outputs>) {
  sandbox.log.clear()
  const view = await viewChanges(of, signal)
  expect(sandbox.log.writes()).toEqual([])
  return { view, states: view.steps.map(({ id, state }) => `${id}: ${state}`), text: planText(view) }
}

test('is unchanged where all is so, each step known by what the one before has given', async () => {
  const { states, text } = await look(plan())
  expect(states).toEqual(['one: unchanged', 'two: unchanged', 'three: unchanged'])
  expect(text).toContain('plan to try it: 3 steps; nothing would change')
  expect(text).toMatch(/Nothing would change\.$/)
})

test('tells what would change, and that the rest can be known only then', async () => {
  const { view, states, text } = await look(plan('other'))
  expect(states).toEqual(['one: would change', 'two: known after one', 'three: known after two'])
  expect(view.steps[0]?.objects).toMatchObject([{ would: 'change', object: { metadata: { name: 'one' } } }])
  expect(text).toContain('   ~ ConfigMap standing/one\n')
  expect(text).toContain('   ? ConfigMap standing/two\n')
})

test('tells what is missing, though it could not say yet what would be in it', async () => {
  await api.delete(ref('two'))
  await api.delete(ref('three'))
  const { states } = await look(plan())
  expect(states).toEqual(['one: unchanged', 'two: would create', 'three: would create'])
  await api.apply({
    ...configMap('two', ns, { value: '1, 2' }),
    metadata: { name: 'two', namespace: ns, labels: plan().owner.labels },
  })
})

test('never acts, unless an act only looks; what a look would write is noted instead', async () => {
  const acted: string[] = []
  const more: Step<Outputs>[] = [
    {
      id: 'act',
      title: 'acts',
      describe: () => ['turns it around'],
      act: async () => void acted.push('act') as undefined,
    },
    { id: 'learn', title: 'learns', readOnly: true, act: async () => void acted.push('learn') as undefined },
    {
      id: 'note',
      title: 'writes as it looks',
      async ready(_, tools) {
        await tools.apply(configMap('note', ns, { value: 'n' }))
        return {}
      },
    },
    { id: 'sly', title: 'writes past the tools', ready: (_, { api }) => api.delete(ref('one')).then(() => ({})) },
  ]
  const { states, text } = await look(plan('1', more))
  expect(states.slice(3)).toEqual([
    'act: would be done',
    'learn: unchanged',
    'note: would create',
    'sly: would be done',
  ])
  expect(acted).toEqual(['learn'])
  expect(text).toContain('   - turns it around')
  expect(text).toContain('   + ConfigMap standing/note')
})

test('fails where the run would: an object of that name is somebody else’s', async () => {
  await api.create(configMap('theirs', ns))
  const theirs = { id: 'x', title: 'x', want: () => [configMap('theirs', ns)] }
  const error = await failureOf(viewChanges(plan('1', [theirs]), signal))
  expect(error).toMatchObject({ outcome: 'conflict', details: { step: 'x' } })
  expect(error.message).toContain('cannot try it: x: ConfigMap standing/theirs exists already')
})
