/**
 * The life of a cluster by a cluster driver: created, read, changed, resized, upgraded, killed at each write, and
 * removed.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nextStep } from '../../../src/core/next-step.ts'
import { systemClock } from '../../../src/core/time.ts'
import { makeDriverApi } from '../../../src/drivers/coe-api.ts'
import type { ClusterIdentity, ClusterSite, OpenClusters } from '../../../src/drivers/driver-api.ts'
import { makeRegistry } from '../../../src/drivers/registry.ts'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import { ownerKeys } from '../../../src/kube/ownership/ownership.ts'
import type { ClusterRequest } from '../../../src/model/cluster-request.ts'
import { viewChanges } from '../../../src/plan/changes.ts'
import { viewPlan } from '../../../src/plan/dry-run.ts'
import { runPlan } from '../../../src/plan/engine.ts'
import { runRemoval } from '../../../src/plan/remove.ts'
import type { Plan } from '../../../src/plan/step.ts'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { deathsOf, killSwitch, nameOf } from '../../support/kill-switch.ts'
import { connectAdmin, failureOf, kubeWorld, namespaceObject, recordingReport } from '../../support/kube.ts'

const namespace = 'toys'
const options = { resume: nextStep('resume', 'cluster create', 'c1') }
const c1: ClusterIdentity = { name: 'c1', uuid: 'u-1' }
const small: ClusterIdentity = { name: 'small', uuid: 't-1' }
const request: ClusterRequest = { name: 'c1', template: 'small', nodeCount: 2, labels: { team: 'a' } }

const death = killSwitch()
let sandbox: KubeSandbox
let folder: string
const secrets: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coe-toy-'))
  const toy = join(folder, 'toy_v1')
  await cp(fileURLToPath(new URL('../../drivers/toy_v1', import.meta.url)), toy, { recursive: true })
  for (const path of [folder, toy]) await chmod(path, 0o755)
  sandbox = await startKubeSandbox({ members: 0, log: death.log, faults: death.faults })
  await (await connectAdmin(sandbox.host)).create(namespaceObject(namespace))
})
afterAll(async () => {
  await sandbox?.close()
  await rm(folder, { recursive: true, force: true })
})

let runs = 0
/** Opens the driver as a new process would, without memory of the previous one. */
async function entered(signal: AbortSignal = new AbortController().signal) {
  const userAgent = `coe/toy-${runs++}`
  const coe = makeDriverApi({
    world: kubeWorld(),
    userAgent,
    signal,
    addSecret: value => void secrets.push(value),
    folders: { assets: undefined, cache: undefined },
  })
  const api = await connectAdmin(sandbox.host, { userAgent })
  const { clusters } = await makeRegistry({ coe, folders: [folder], disabled: [] }).driver('toy_v1')
  const site: ClusterSite = {
    api,
    title: 'management cluster "host"',
    namespace,
    settings: {},
    owner: (what, { name, uuid }) => {
      const key = ownerKeys[what]
      return { what, key, labels: { [key]: uuid, 'toy/name': name } }
    },
    signal,
  }
  const op = { wait: true, waitTimeoutMs: 30_000, dryRun: false, signal, report: recordingReport() }
  const engine = { op, clock: systemClock, signal, ...options }
  return {
    api,
    toy: clusters?.open?.(site) as Required<OpenClusters>,
    run: (plan: Plan) => (plan.leftovers ? runRemoval(plan, engine) : runPlan(plan, engine)),
    view: (plan: Plan) => viewPlan(plan, signal),
    standing: (plan: Plan) => viewChanges(plan, signal),
  }
}
type Entered = Awaited<ReturnType<typeof entered>>

/** The groups of c1, each with its nodes and version. */
const groups = async ({ toy }: Entered) =>
  Object.fromEntries((await toy.nodegroups.list(c1)).map(group => [group.name, group.node_count]))

/** All objects that a driver may have made, without the server's additions. */
async function everything(api: ClusterApi) {
  const kinds = ['ConfigMap', 'Secret', 'Service'].map(kind => ({ apiVersion: 'v1', kind }))
  const lists = await Promise.all(
    [...kinds, { apiVersion: 'apps/v1', kind: 'Deployment' }].map(kind => api.list(kind, { namespace })),
  )
  return lists
    .flatMap(list => list.items)
    .filter(item => item.metadata.name?.startsWith('toy-'))
    .map(({ kind, metadata, spec }) => `${kind} ${metadata.name} ${spec?.replicas ?? ''}`)
    .sort()
}

it('is written against the published types', () => {
  const types = fileURLToPath(new URL('../../../docs/drivers/coe.d.ts', import.meta.url))
  copyFileSync(types, join(folder, 'toy_v1/coe.d.ts'))
  const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
  const project = ['--project', join(folder, 'toy_v1/jsconfig.json'), '--typeRoots', join(modules, '@types')]
  execFileSync(join(modules, '.bin/tsc'), project, { stdio: 'pipe' })
})

describe('templates', () => {
  it('are made, listed and changed', async () => {
    const { toy, run } = await entered()
    expect(await toy.preflight(c1, request)).toMatchObject([{ level: 'error', outcome: 'notFound' }])
    const create = toy.templates.create as NonNullable<typeof toy.templates.create>
    await run(await create(small, { name: 'small', labels: { kube_tag: 'v1.33.1' } }, options))
    await run(await create({ name: 'new', uuid: 't-2' }, { name: 'new', labels: { kube_tag: 'v1.34.2' } }, options))
    expect((await toy.templates.list()).map(t => [t.name, t.uuid])).toEqual(
      expect.arrayContaining([
        ['small', 't-1'],
        ['new', 't-2'],
      ]),
    )
    expect(await toy.preflight(c1, request)).toEqual([])
  })
})

describe('a cluster', () => {
  it('can be shown before creation: later values by name, no key, and nothing is written', async () => {
    const here = await entered()
    const before = await everything(here.api)
    const text = JSON.stringify(await here.view(await here.toy.create(c1, request, options)))
    expect(text).toContain('https://<known after control-plane>:6443')
    expect(text).not.toContain('toy-token-')
    expect(await everything(here.api)).toEqual(before)
    expect(await here.toy.observe('c1')).toBeUndefined()
  })

  it('is created, and reports its status by name and by uuid', async () => {
    const here = await entered()
    expect((await here.run(await here.toy.create(c1, request, options))).changed).toBe(true)
    const found = await here.toy.observe('c1')
    expect(found).toMatchObject({ uuid: 'u-1', status: 'CREATE_COMPLETE', node_count: 2, coe_version: 'v1.33.1' })
    expect(await here.toy.observe('u-1')).toEqual(found)
    expect(found?.api_address).toMatch(/^https:\/\/\d.*:6443$/)
    expect((await here.toy.access(c1)).server).toBe(found?.api_address)
    expect((await here.toy.certificates.show(c1)).pem).toContain('BEGIN CERTIFICATE')
  })

  it('stays unchanged when created again, and a dry run says so', async () => {
    const here = await entered()
    const plan = { ...(await here.toy.create(c1, request, options)), exact: true }
    expect((await here.standing(plan)).steps.every(step => step.state === 'unchanged')).toBe(true)
    expect((await here.run(plan)).changed).toBe(false)
  })

  it('is resized, and a repeated creation does not undo that', async () => {
    const here = await entered()
    await here.run(await here.toy.resize(c1, { nodeCount: 3, nodesToRemove: [] }, options))
    expect(await groups(here)).toEqual({ 'default-master': 1, 'default-worker': 3 })
    await here.run(await here.toy.create(c1, request, options))
    expect(await here.toy.observe('c1')).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 3 })
    const wrong = here.toy.resize(c1, { nodeCount: 1, nodesToRemove: [], nodegroup: 'gpu' }, options)
    expect(await failureOf(wrong)).toMatchObject({ outcome: 'notFound' })
  })

  it('has node groups', async () => {
    const here = await entered()
    const { create, update, remove } = here.toy.nodegroups as Required<typeof here.toy.nodegroups>
    await here.run(await create(c1, { name: 'gpu', nodeCount: 1 }, options))
    await here.run(
      await update(c1, 'gpu', { set: { maxNodes: 4 }, unset: [], patch: [], labels: { set: {}, unset: [] } }, options),
    )
    const gpu = (await here.toy.nodegroups.list(c1)).find(group => group.name === 'gpu')
    expect(gpu).toMatchObject({ node_count: 1, max_node_count: 4, is_default: false })
    expect(await failureOf(remove(c1, 'default-worker', options))).toMatchObject({ outcome: 'conflict' })
    await here.run(await remove(c1, 'gpu', options))
    expect(Object.keys(await groups(here))).toEqual(['default-master', 'default-worker'])
  })

  it('is changed and upgraded, its control plane first, and gets new credentials', async () => {
    const here = await entered()
    const labels = { set: { tier: 'prod' }, unset: ['team'] }
    await here.run(await here.toy.update(c1, { set: { controlPlaneCount: 3 }, unset: [], patch: [], labels }, options))
    const order: string[] = []
    const plan = await here.toy.upgrade(c1, { template: 'new', maxBatchSize: 1 }, options)
    const steps = plan.steps.map(step => ({
      ...step,
      async want(outputs: Record<string, unknown>) {
        order.push(step.id)
        return (await step.want?.(outputs)) ?? []
      },
    }))
    await here.run({ ...plan, steps })
    expect(order).toEqual(['default-master', 'default-worker', 'record'])
    expect(await here.toy.observe('c1')).toMatchObject({
      coe_version: 'v1.34.2',
      cluster_template_id: 'new',
      labels: { tier: 'prod' },
      master_count: 3,
      node_count: 3,
    })
    const before = await here.toy.access(c1)
    await here.run(await here.toy.credentials.rotate(c1, options))
    expect((await here.toy.access(c1)).token).not.toBe(before.token)
    expect(secrets).toContain(before.token)
  })

  it('belongs to its uuid: another cluster of its name is refused before anything is written', async () => {
    const here = await entered()
    const before = await everything(here.api)
    const twin = here.run(await here.toy.create({ name: 'c1', uuid: 'u-2' }, request, options))
    expect((await failureOf(twin)).message).toContain('belongs to another cluster (u-1)')
    expect(await everything(here.api)).toEqual(before)
  })

  it('is deleted, and leaves only the templates', async () => {
    const here = await entered()
    await here.run(await here.toy.remove(c1, options))
    expect(await here.toy.observe('c1')).toBeUndefined()
    expect(await everything(here.api)).toEqual(['ConfigMap toy-template-new ', 'ConfigMap toy-template-small '])
  })
})

describe('a run that is killed', () => {
  type Action = (here: Entered) => Promise<Plan>
  /** Like a command: finds an unfinished creation and resumes it. */
  const create: Action = async ({ toy }) => {
    const found = await toy.observe('c1')
    return toy.create(found ? { name: 'c1', uuid: found.uuid } : c1, request, options)
  }
  const remove: Action = async ({ toy }) => {
    const found = await toy.observe('c1')
    return toy.remove(found ? { name: 'c1', uuid: found.uuid } : c1, options)
  }
  const whole = async (action: Action) => {
    const here = await entered()
    await here.run(await action(here))
    return everything(here.api)
  }

  it('can be repeated, wherever it was killed', { timeout: 120_000 }, async () => {
    const writes = async (action: Action) => {
      death.log.clear()
      const end = await whole(action)
      return { action, end, deaths: deathsOf(death.writes()) }
    }
    const ways = [await writes(create), await writes(remove)]
    expect(ways.every(way => way.deaths.length >= 8)).toBe(true)
    for (let i = 0; i < Math.max(...ways.map(way => way.deaths.length)); i++) {
      for (const { action, end, deaths } of ways) {
        const at = deaths[i % deaths.length]
        if (!at) continue
        const armed = death.arm(at)
        const here = await entered(armed.signal)
        const run = action(here).then(plan => here.run(plan))
        expect(await Promise.race([armed.died, run.then(() => nameOf(at))])).toBe('dead')
        await run.catch(() => {})
        expect(await whole(action), nameOf(at)).toEqual(end)
      }
    }
  })
})
