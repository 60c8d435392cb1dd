/** What a driver of clusters must bear: names that lead nowhere; and, where it makes clusters, their whole life. */
import { randomUUID } from 'node:crypto'
import { planText } from '../../cli/print/plan-text.ts'
import { nextStep } from '../../core/next-step.ts'
import { makeDriverApi } from '../../drivers/coe-api.ts'
import type { ClusterIdentity, ClusterSite, OpenClusters } from '../../drivers/driver-api.ts'
import { makeRegistry } from '../../drivers/registry.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { ownerKeys } from '../../kube/ownership/ownership.ts'
import { viewPlan } from '../../plan/dry-run.ts'
import { runPlan } from '../../plan/engine.ts'
import { runRemoval } from '../../plan/remove.ts'
import type { Plan } from '../../plan/step.ts'
import { nameOf } from '../../sandbox/kill-switch.ts'
import { type Bench, type BenchRun, openBench } from './bench.ts'
import { again, nothingLeft } from './federations.ts'
import { leakIn, valuesOf } from './leaks.ts'
import { expectThat, type Suite, some, spread } from './suite.ts'
import type { Tested } from './tested.ts'

const namespace = 'conformance'
const options = { resume: nextStep('resume', 'driver test') }
const template = 'conformance'
const request = { name: 'conformance', template, nodeCount: 1 }

export async function testClusters(suite: Suite, tested: Tested): Promise<void> {
  const { clusters } = tested.driver
  await suite.check('unknown-names', 'a name that it does not know is left to others', async () => {
    const unknown = 'no-cluster-has-this-name'
    expectThat(Array.isArray(await clusters?.list()), 'list() answers no list')
    expectThat((await clusters?.find(unknown)) === undefined, 'find() answers for a name that there is not')
    expectThat((await clusters?.describe?.(unknown)) === undefined, 'describe() answers for a name that there is not')
  })
  if (!clusters?.open) return suite.leftOut('create', 'clusters are made', 'it makes none: it has no "open"')
  const bench = await openBench(tested.world, tested.folder, 0)
  try {
    await life(suite, tested, bench)
  } finally {
    await bench.close()
  }
}

interface Opened {
  api: ClusterApi
  open: OpenClusters
  /** Carries it out. */
  does(plan: Plan): Promise<unknown>
  shows(plan: Plan): Promise<string>
  /** The one of the tests, as it stands or new. */
  cluster(): Promise<ClusterIdentity>
}

async function life(suite: Suite, tested: Tested, bench: Bench): Promise<void> {
  const run = <T>(work: (here: Opened) => Promise<T>) => bench.run(one => opened(tested, one).then(work))
  await run(({ api }) => api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }))
  const before = { templates: bench.objects(), clusters: bench.objects() }
  const newTemplate = { name: template, uuid: randomUUID() }
  const templates = (here: Opened) => here.open.templates
  const hasTemplates = await run(async here => templates(here)?.create !== undefined)
  if (hasTemplates) {
    await suite.check('templates', 'a template is made, and is in the list', async () => {
      await run(async here => {
        const plan = await templates(here)?.create?.(
          newTemplate,
          { name: template, labels: { ...tested.labels } },
          options,
        )
        if (plan) await here.does(plan)
      })
      const list = await run(async here => (await templates(here)?.list()) ?? [])
      expectThat(
        list.some(one => one.name === template && one.uuid === newTemplate.uuid),
        'the list does not have it',
      )
    })
    before.clusters = bench.objects()
  }
  const create = async (here: Opened) => here.does(await planned(here, await here.cluster()))
  const planned = async ({ open }: Opened, cluster: ClusterIdentity): Promise<Plan> => {
    if (!open.create) throw new Error('it has no "create"')
    return open.create(cluster, request, options)
  }
  const remove = async (here: Opened) => {
    const found = await here.open.observe(request.name)
    if (!here.open.remove) throw new Error('it has no "remove"')
    if (found) await here.does(await here.open.remove(found, options))
  }
  await suite.check('dry-run-create', 'the plan of a creation is shown, and nothing is written', async () => {
    bench.writes()
    bench.printed.push(await run(async here => here.shows(await planned(here, await here.cluster()))))
    const writes = bench.writes()
    expectThat(writes.length === 0, () => `it wrote: ${some(writes)}`)
  })
  await suite.check('create', 'a cluster is made, complete, and found by name and uuid', async () => {
    await run(create)
    const found = await run(({ open }) => open.observe(request.name))
    expectThat(found !== undefined, 'observe() does not find it by its name')
    expectThat(found.status === 'CREATE_COMPLETE', `its status is ${found.status}: ${found.status_reason ?? ''}`)
    const byUuid = await run(({ open }) => open.observe(found.uuid))
    expectThat(byUuid?.name === request.name, 'observe() does not find it by its uuid')
    const list = await run(({ open }) => open.list())
    expectThat(
      list.some(one => one.uuid === found.uuid),
      'list() does not have it',
    )
  })
  await suite.check(
    'create-again',
    'made again, nothing is made anew',
    async () => {
      bench.writes()
      await run(create)
      const writes = bench.writes().filter(what => /POST|DELETE/.test(what))
      expectThat(writes.length === 0, () => `it wrote: ${some(writes)}`)
    },
    ['create'],
  )
  const able = await run(async ({ open }) => ({
    resize: open.resize !== undefined,
    groups: open.nodegroups?.create !== undefined,
  }))
  if (able.resize) {
    await suite.check(
      'resize',
      'it is resized, and a repeated creation does not set it back',
      async () => {
        await run(async here => {
          const cluster = await here.cluster()
          const plan = await here.open.resize?.(cluster, { nodeCount: 2, nodesToRemove: [] }, options)
          if (plan) await here.does(plan)
        })
        await run(create)
        const found = await run(({ open }) => open.observe(request.name))
        expectThat(found?.node_count === 2, `it has ${found?.node_count} nodes, not 2`)
      },
      ['create'],
    )
  }
  if (able.groups) {
    await suite.check(
      'nodegroups',
      'a node group comes and goes',
      async () => {
        const names = (here: Opened, cluster: ClusterIdentity) =>
          here.open.nodegroups?.list(cluster).then(all => all.map(group => group.name)) ?? Promise.resolve([])
        const after = await run(async here => {
          const cluster = await here.cluster()
          const plan = await here.open.nodegroups?.create?.(cluster, { name: 'more', nodeCount: 1 }, options)
          if (plan) await here.does(plan)
          return names(here, cluster)
        })
        expectThat(after.includes('more'), 'the list does not have it')
        const left = await run(async here => {
          const cluster = await here.cluster()
          const plan = await here.open.nodegroups?.remove?.(cluster, 'more', options)
          if (plan) await here.does(plan)
          return names(here, cluster)
        })
        expectThat(!left.includes('more'), 'the list has it after it was removed')
      },
      ['create'],
    )
  }
  await suite.check(
    'owner',
    'what belongs to another cluster is not touched',
    async () => {
      bench.writes()
      const stranger = { name: request.name, uuid: randomUUID() }
      const tried = await run(async here => here.does(await planned(here, stranger))).then(
        () => 'done',
        (error: { outcome?: string }) => error.outcome,
      )
      expectThat(tried === 'conflict', `a second cluster of its name ends as "${tried}", not as a conflict`)
      const writes = bench.writes()
      expectThat(writes.length === 0, () => `it wrote before it found that: ${some(writes)}`)
    },
    ['create'],
  )
  await suite.check(
    'secrets',
    'keys and tokens stand in no output',
    async () => {
      const { items } = await run(({ api }) => api.list({ apiVersion: 'v1', kind: 'Secret' }))
      const leak = leakIn(bench.printed, [...bench.secrets, ...valuesOf(items)])
      expectThat(leak === undefined, `this was printed: ${leak}`)
    },
    ['create'],
  )
  await suite.check(
    'delete',
    'it goes, and nothing is left of it',
    async () => {
      await run(remove)
      expectThat((await run(({ open }) => open.observe(request.name))) === undefined, 'observe() still finds it')
      await nothingLeft(bench, before.clusters)
    },
    ['create'],
  )
  const killed = (work: (here: Opened) => Promise<unknown>) => (one: BenchRun) => opened(tested, one).then(work)
  await suite.check(
    'killed-create',
    'killed at any write, a creation can be run again',
    async () => {
      const deaths = await bench.observed(killed(create))
      await run(remove)
      for (const at of spread(deaths, tested.deaths)) {
        await bench.killed(killed(create), at)
        await again(`a creation killed ${nameOf(at)}`, () => run(create))
        const found = await run(({ open }) => open.observe(request.name))
        expectThat(
          found?.status === 'CREATE_COMPLETE',
          `after it was killed ${nameOf(at)}, its status is ${found?.status}`,
        )
        await run(remove)
      }
    },
    ['create', 'delete'],
  )
  await suite.check(
    'killed-delete',
    'killed at any write, a deletion can be run again',
    async () => {
      await run(create)
      const deaths = await bench.observed(killed(remove))
      for (const at of spread(deaths, tested.deaths)) {
        await run(create)
        await bench.killed(killed(remove), at)
        await again(`a deletion killed ${nameOf(at)}`, () => run(remove))
        await nothingLeft(bench, before.clusters)
      }
    },
    ['delete', 'killed-create'],
  )
}

async function opened(tested: Tested, { deps, call }: BenchRun): Promise<Opened> {
  const { signal, report } = call
  const folders = { assets: undefined, cache: undefined }
  const { addSecret } = deps.secrets
  const coe = makeDriverApi({ ...deps, signal, addSecret, folders })
  const registry = makeRegistry({ coe, folders: deps.settings.get('drivers.folders').value, disabled: [] })
  const { clusters } = await registry.driver(tested.name)
  const api = coe.connect(await coe.context('host'))
  const site: ClusterSite = {
    api,
    title: 'management cluster "host"',
    namespace,
    settings: tested.options,
    owner(what, { name, uuid }) {
      const key = ownerKeys[what]
      return { what, key, labels: { [key]: uuid, 'coe/conformance': name } }
    },
    signal,
  }
  const open = clusters?.open?.(site)
  if (!open) throw new Error('it has no "open"')
  const op = { wait: true, waitTimeoutMs: 60_000, dryRun: false, signal, report, caller: call.caller }
  const running = { op, clock: deps.world.clock, signal, ...options }
  return {
    api,
    open,
    does: plan => (plan.leftovers ? runRemoval(plan, running) : runPlan(plan, running)),
    shows: async plan => planText(await viewPlan(plan, signal)),
    async cluster() {
      const found = await open.observe(request.name)
      return { name: request.name, uuid: found?.uuid ?? randomUUID() }
    },
  }
}
