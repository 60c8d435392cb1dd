/** What a driver of federations must bear: made, looked at, repeated, joined, killed, taken apart. */
import { fallbackOn } from '../../core/errors.ts'
import { poll } from '../../core/poll.ts'
import type { FederationRequest } from '../../model/backend.ts'
import type { Operation } from '../../model/operation.ts'
import type { Death } from '../../sandbox/kill-switch.ts'
import { nameOf } from '../../sandbox/kill-switch.ts'
import { type Bench, type BenchRun, openBench } from './bench.ts'
import { leakIn, valuesOf } from './leaks.ts'
import { expectThat, type Suite, some, spread } from './suite.ts'
import type { Tested } from './tested.ts'

const name = 'conformance'
const op: Operation = { wait: true, waitTimeoutMs: 120_000, dryRun: false }
const dry: Operation = { ...op, dryRun: true }

export async function testFederations(suite: Suite, tested: Tested): Promise<void> {
  const request: FederationRequest = {
    name,
    host: 'host',
    properties: {},
    defaults: {},
    engine: { driver: tested.name, options: tested.options },
  }
  const federations = ({ backend }: BenchRun) =>
    backend.federations as Required<NonNullable<typeof backend.federations>>
  const create = (run: BenchRun, how = op) => federations(run).create(run.call, request, how)
  const join = async (run: BenchRun, how = op) => {
    const outcomes = await federations(run).join(run.call, name, [{ cluster: 'c2' }], how)
    for (const { error } of outcomes) if (error) throw error
    return outcomes[0]?.result
  }
  const unjoin = async (run: BenchRun) => {
    const outcomes = await federations(run).unjoin(run.call, name, ['c2'], op)
    for (const { error } of outcomes) if (error) throw error
    return outcomes[0]?.result
  }
  const remove = (run: BenchRun) => federations(run).delete(run.call, name, op, { unjoin: true })
  /** One that is gone already is what a repeated deletion is to find. */
  const removed = (run: BenchRun) => remove(run).catch(fallbackOn('notFound', undefined))

  const bench = await openBench(tested.world, tested.folder, 1)
  try {
    const before = bench.objects()
    await suite.check('dry-run-create', 'the plan of a creation is shown, and nothing is written', async () => {
      bench.writes()
      const outcome = await bench.run(run => create(run, dry))
      bench.printed.push(JSON.stringify(outcome))
      expectThat((outcome.planned ?? []).length > 0, 'the plan has no step that would do anything')
      const writes = bench.writes()
      expectThat(writes.length === 0, () => `it wrote: ${some(writes)}`)
    })
    await suite.check('create', 'a federation is made, and is healthy', async () => {
      await bench.run(run => create(run))
      const { health } = await bench.run(run => federations(run).health(run.call, name))
      expectThat(health.api.reachable, () => `its API does not answer: ${health.api.reason}`)
      const missing = health.components.filter(c => !c.ready).map(c => c.name)
      expectThat(missing.length === 0, () => `not ready: ${some(missing)}`)
    })
    await suite.check(
      'create-again',
      'made again, it is as it was: nothing is written',
      () => unchanged(bench, run => create(run)),
      ['create'],
    )
    await suite.check('settings-again', 'the settings that are kept can be given again', () => settingsAgain(tested), [
      'create',
    ])
    await suite.check(
      'dry-run-join',
      'the plan of a join is shown, and nothing is written',
      async () => {
        bench.writes()
        const outcomes = await bench.run(run => federations(run).join(run.call, name, [{ cluster: 'c2' }], dry))
        bench.printed.push(JSON.stringify(outcomes))
        for (const { error } of outcomes) if (error) throw error
        const writes = bench.writes()
        expectThat(writes.length === 0, () => `it wrote: ${some(writes)}`)
      },
      ['create'],
    )
    await suite.check(
      'join',
      'a cluster joins, and is Ready',
      async () => {
        await bench.run(run => join(run))
        const { health } = await bench.run(run => federations(run).health(run.call, name))
        const member = health.members?.find(m => m.name === 'c2')
        expectThat(member !== undefined, 'members and health do not have it')
        expectThat(member.ready === true, () => `it is not ready: ${member.message ?? member.reason}`)
      },
      ['create'],
    )
    await suite.check(
      'join-again',
      'joined again, it is as it was',
      async () => {
        const result = await bench.run(run => join(run))
        expectThat(result === 'unchanged', `the result is "${result}", not "unchanged"`)
      },
      ['join'],
    )
    await suite.check('secrets', 'keys and tokens stand in no output', () => noLeak(bench), ['create'])
    await suite.check(
      'unjoin',
      'the member leaves, and nothing is left on it',
      async () => {
        await bench.run(unjoin)
        await nothingLeft(bench, before, ['c2'])
      },
      ['join'],
    )
    await suite.check(
      'delete',
      'the federation goes, and nothing is left of it',
      async () => {
        await bench.run(run => remove(run))
        await nothingLeft(bench, before)
      },
      ['create'],
    )
  } finally {
    await bench.close()
  }

  const killing = await openBench(tested.world, tested.folder, 1)
  try {
    const before = killing.objects()
    const deaths: { create: Death[]; join: Death[]; remove: Death[] } = { create: [], join: [], remove: [] }
    await suite.check(
      'killed-create',
      'killed at any write, a creation can be run again',
      async () => {
        deaths.create = await killing.observed(run => create(run))
        await killing.run(removed)
        for (const at of spread(deaths.create, tested.deaths)) {
          await killing.killed(run => create(run), at)
          await again(`a creation killed ${nameOf(at)}`, () => killing.run(run => create(run)))
          await unchanged(killing, run => create(run), ` after it was killed ${nameOf(at)}`)
          await killing.run(removed)
        }
      },
      ['create', 'delete'],
    )
    await suite.check(
      'killed-join',
      'killed at any write, a join can be run again',
      async () => {
        await killing.run(run => create(run))
        deaths.join = await killing.observed(run => join(run))
        await killing.run(unjoin)
        for (const at of spread(deaths.join, tested.deaths)) {
          await killing.killed(run => join(run), at)
          await again(`a join killed ${nameOf(at)}`, () => killing.run(run => join(run)))
          await killing.run(unjoin)
        }
        await killing.run(removed)
      },
      ['join', 'unjoin', 'killed-create'],
    )
    await suite.check(
      'killed-delete',
      'killed at any write, a deletion can be run again',
      async () => {
        const made = async () => {
          await killing.run(run => create(run))
          await killing.run(run => join(run))
        }
        await made()
        deaths.remove = await killing.observed(run => remove(run))
        for (const at of spread(deaths.remove, tested.deaths)) {
          await made()
          await killing.killed(run => remove(run), at)
          await again(`a deletion killed ${nameOf(at)}`, () => killing.run(removed))
          await nothingLeft(killing, before)
        }
      },
      ['delete', 'killed-join'],
    )
  } finally {
    await killing.close()
  }
}

export async function again(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw new Error(`${what} cannot be run again: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function unchanged(
  bench: Bench,
  create: (run: BenchRun) => Promise<{ result: string }>,
  when = '',
): Promise<void> {
  bench.writes()
  const { result } = await bench.run(create)
  const writes = bench.writes().filter(what => /POST|DELETE/.test(what) && !what.includes('/events'))
  expectThat(result === 'unchanged', () => `it says "${result}", not "unchanged"${when}`)
  expectThat(writes.length === 0, () => `it wrote: ${some(writes)}${when}`)
}

async function settingsAgain({ driver, options }: Tested): Promise<void> {
  const { federations } = driver
  const kept = federations?.settings(options)
  const twice = kept && federations?.settings(kept, kept)
  expectThat(
    JSON.stringify(kept) === JSON.stringify(twice),
    () => `${JSON.stringify(kept)} becomes ${JSON.stringify(twice)}`,
  )
  const fixed = kept && federations ? Object.keys(federations.immutable(kept, kept)) : []
  expectThat(fixed.length === 0, () => `what did not change counts as changed: ${some(fixed)}`)
}

async function noLeak(bench: Bench): Promise<void> {
  const lists = await bench.run(async ({ deps }) => {
    const { makeDriverApi } = await import('../../drivers/coe-api.ts')
    const { signal } = new AbortController()
    const folders = { assets: undefined, cache: undefined }
    const coe = makeDriverApi({ ...deps, signal, addSecret: () => {}, folders })
    return Promise.all(
      ['host', 'c2'].map(
        async context =>
          (await coe.connect(await coe.context(context)).list({ apiVersion: 'v1', kind: 'Secret' })).items,
      ),
    )
  })
  const leak = leakIn(bench.printed, [...bench.secrets, ...valuesOf(lists.flat())])
  expectThat(leak === undefined, `this was printed: ${leak}`)
}

const graceMs = 10_000

/** Clean-up of the servers themselves goes on for a moment after the last run. */
export async function nothingLeft(
  bench: Bench,
  before: ReturnType<Bench['objects']>,
  clusters?: readonly string[],
): Promise<void> {
  const left = () =>
    Object.entries(bench.objects()).flatMap(([cluster, objects]) =>
      clusters && !clusters.includes(cluster)
        ? []
        : objects.filter(object => !before[cluster]?.includes(object)).map(object => `${object} on ${cluster}`),
    )
  const gone = async () => (left().length === 0 ? true : undefined)
  const { clock } = bench
  await poll(gone, { clock, timeoutMs: graceMs, intervalMs: 100, what: 'all of it to be gone' }).catch(
    fallbackOn('timeout', undefined),
  )
  expectThat(left().length === 0, () => `left: ${some(left())}`)
}
