/** The host's API away for longer than a lock lasts: a change waits for it, and resumes where nobody else has taken the lock. */
import { afterEach, expect, it } from 'vitest'
import { systemClock } from '../../../src/core/time.ts'
import type { Clock } from '../../../src/core/world.ts'
import { createFaults, type Effect, type Faults, type FaultTarget } from '../../../src/sandbox/faults.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

/** So many times as fast as time goes; an hour late at first, so that no certificate is of the future. */
const speed = 5
const born = systemClock.now()
const late = 3_600_000
const clock: Clock = {
  now: () => born - late + (systemClock.now() - born) * speed,
  sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
}
/** More than a lock may go without being renewed. */
const awayMs = 14_000

const reset: Effect = { kind: 'reset-before' }

interface Outage {
  faults: Faults
  began: Promise<void>
}

/** The host is away for runs of one version of Node, from the nth request of theirs that looks so. */
function outage(method: string, path: RegExp, { nth = 1, over }: { nth?: number; over?: () => boolean } = {}): Outage {
  const faults = createFaults()
  let seen = 0
  let start: number | undefined
  let begin = () => {}
  const began = new Promise<void>(resolve => {
    begin = resolve
  })
  const hit = (asked: FaultTarget) => {
    if (asked.service !== 'kube:host' || !asked.agent.includes(node)) return faults.hit(asked)
    if (asked.method === method && path.test(asked.url) && ++seen === nth) {
      start = clock.now()
      begin()
    }
    const isAway = start !== undefined && !(clock.now() - start > awayMs && (over?.() ?? true))
    return isAway ? [reset] : faults.hit(asked)
  }
  return { faults: { ...faults, hit }, began }
}

let lab: StandaloneLab
const node = 'v20.0.15'
const run = (line: string, as = node) => lab.run(line, { clock, node: as })
/** Of runs that the outage does not meet. */
const other = 'v20.0.16'
const create = 'federation create myfed --host host --expose nodeport'
const record = /configmaps\/coe-federation\b/
afterEach(() => lab.close())

it.each([
  ['its start in the record', 'PUT', record, 1],
  ['etcd', 'PATCH', /statefulsets\/etcd/, 1],
  ['the last component', 'PATCH', /deployments\/karmada-controller-manager/, 1],
  ['its end in the record', 'PUT', record, 3],
] as const)('a creation resumes after it: at %s', async (_, method, path, nth) => {
  lab = await startLab({ members: 0, faults: outage(method, path, { nth }).faults })
  const made = await run(create)
  expect(made.err).toContain('the host answers again; resuming')
  expect(made, made.err).toMatchObject({ code: 0, out: expect.stringContaining('Federation myfed is created') })
  expect((await run('federation show myfed -c status -f value')).out).toBe('CREATE_COMPLETE\n')
  expect((await run(create)).out).toContain('unchanged')
})

it('a join does, and whoever joined before it is told as such', async () => {
  lab = await startLab({ members: 2, faults: outage('PATCH', /configmaps\/coe-member-/, { nth: 4 }).faults })
  expect(await run(create, other)).toMatchObject({ code: 0 })
  const joined = await run('federation join myfed c2 c3')
  expect(joined.err).toContain('the host answers again; resuming')
  expect(joined).toMatchObject({
    code: 0,
    out: 'Cluster c2 joined federation myfed\nCluster c3 joined federation myfed\n',
  })
  expect(await run('federation status myfed')).toMatchObject({ code: 0 })
})

it.each([
  ['unjoin myfed c2', 'DELETE', /configmaps\/coe-member-c2/],
  ['delete myfed --unjoin --yes', 'DELETE', /deployments\?/],
  ['delete myfed --unjoin --yes', 'DELETE', /namespaces\/coe-fed-myfed$/],
] as const)('%s does: at its %s of %s', async (line, method, path) => {
  lab = await startLab({ members: 1, faults: outage(method, path).faults })
  expect(await run(create, other)).toMatchObject({ code: 0 })
  expect(await run('federation join myfed c2', other)).toMatchObject({ code: 0 })
  const went = await run(`federation ${line}`)
  expect(went.err).toContain('the host answers again; resuming')
  expect(went).toMatchObject({ code: 0 })
  expect(lab.objects().c2).toEqual(lab.before.c2)
})

it('another run that took the lock meanwhile keeps it, and the first one stops', async () => {
  let over = false
  const away = outage('PATCH', /statefulsets\/etcd/, { over: () => over })
  lab = await startLab({ members: 0, faults: away.faults })
  const first = run(create)
  await away.began
  // it waits until the lock of the first has not been renewed for as long as it lasts
  const second = await run('federation update myfed --property team=a', other).finally(() => {
    over = true
  })
  expect(second).toMatchObject({ code: 0, err: expect.stringContaining('took over from') })
  expect(await first).toMatchObject({
    code: 5,
    err: expect.stringContaining('federation "myfed" was changed by another run while its host was away'),
  })
})

it('a host that stays away ends it when the time is up, with the line that resumes it', async () => {
  let over = false
  lab = await startLab({ members: 0, faults: outage('PATCH', /statefulsets\/etcd/, { over: () => over }).faults })
  const gave = await run(`${create} --wait-timeout 60s`)
  expect(gave.err).toMatch(
    /^federation "myfed": its host does not answer \(.*\); waiting for it$[\s\S]*to continue, run: coe --standalone federation create myfed/m,
  )
  expect(gave.code).toBe(1)
  over = true
  expect(await run(create)).toMatchObject({ code: 0 })
})
