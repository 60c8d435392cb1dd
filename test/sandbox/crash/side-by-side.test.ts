/** Two simultaneous runs on one federation, and a run that is stopped. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFaults, type Faults } from '../../../src/sandbox/faults.ts'
import { connectAdmin } from '../../support/kube.ts'
import type { RunOptions } from '../../support/run.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

const create = 'federation create myfed --host host --expose nodeport'

let lab: StandaloneLab
let onRequest: ((method: string, url: string) => void) | undefined
beforeAll(async () => {
  lab = await startLab({ faults: listening() })
})
afterAll(() => lab.close())

function listening(): Faults {
  const faults = createFaults()
  return {
    ...faults,
    hit(target) {
      if (target.agent.startsWith('coe/')) onRequest?.(target.method, target.url)
      return faults.hit(target)
    },
  }
}

/** A user at another terminal. */
const another: RunOptions = { pid: 4712, isRunning: () => true }
const one: RunOptions = { pid: 4711, isRunning: () => true }

it('stops a creation at Ctrl-C, says what exists, and prints the command that resumes', async () => {
  const controller = new AbortController()
  onRequest = (method, url) => {
    if (method === 'PATCH' && url.includes('customresourcedefinitions')) controller.abort()
  }
  const stopped = await lab.run(create, { interrupt: controller.signal })
  onRequest = undefined
  expect(stopped.code).toBe(130)
  expect(stopped.err).toMatch(/interrupted before it could .* of 15 steps done: .*etcd/)
  expect(stopped.err).toContain('not finished: ')
  const [, again = ''] = /to continue, run: coe (.*)$/m.exec(stopped.err) ?? []
  expect(again).toContain('federation create myfed --host host')
  expect((await lab.run('federation list -f value -c status')).out).toBe('CREATE_FAILED\n')
  expect(await lab.run(again.replace('--standalone ', ''))).toMatchObject({ code: 0 })
  expect((await lab.run('federation status myfed')).code).toBe(0)
})

it('lets two members join at once: the second run says what it waits for, and both members join', async () => {
  const runs = await Promise.all([
    lab.run('federation join myfed c2', one),
    lab.run('federation join myfed c3', another),
  ])
  expect(runs.map(r => r.code)).toEqual([0, 0])
  const notes = runs.map(r => r.err).join('')
  expect(notes).toMatch(
    /federation "myfed" is being changed by another run of coe \("join c[23]"\) on testhost \(process 471[12]/,
  )
  expect((await lab.run('federation members myfed -f value -c name')).out).toBe('c2\nc3\n')
})

it('lets two runs unjoin the same member: one does it, the other finds it done', async () => {
  const runs = await Promise.all([
    lab.run('federation unjoin myfed c3', one),
    lab.run('federation unjoin myfed c3', another),
  ])
  expect(runs.map(r => r.code)).toEqual([0, 0])
  expect((await lab.run('federation members myfed -f value -c name')).out).toBe('c2\n')
})

/** Resolves when coe sends a matching request. */
function nextRequest(method: string, path: RegExp = /./): Promise<void> {
  return new Promise(resolve => {
    onRequest = (of, url) => of === method && path.test(url) && resolve()
  })
}

/** Holds the next change of a run, which has the lock by then, until released. */
function holdChange(method = 'PATCH', path: RegExp = /./): { begun: Promise<void>; goOn(): void } {
  let goOn = () => {}
  const until = new Promise<void>(resolve => {
    goOn = resolve
  })
  lab.sandbox.faults.order({ agent: /^coe/, method, path, effect: { kind: 'hold', until } })
  return { begun: nextRequest(method, path), goOn }
}

/** Runs a second command that has read the federation and waits for the first to end. */
async function meanwhile(line: string, other: string) {
  const { begun, goOn } = holdChange()
  const first = lab.run(line, one)
  await begun
  const locking = nextRequest('POST', /\/leases/)
  const running = lab.run(other, another)
  await locking
  onRequest = undefined
  goOn()
  const second = await running
  expect((await first).code).toBe(0)
  expect(second.err).toContain('waiting for it to end')
  return second
}

it('unjoins a member that another run joined while it waited', async () => {
  const second = await meanwhile('federation join myfed c3', 'federation unjoin myfed c3')
  expect([second.code, second.out]).toEqual([0, 'Cluster c3 left federation myfed\n'])
  expect((await lab.run('federation members myfed -f value -c name')).out).toBe('c2\n')
})

it('does not delete a federation that got its first member while it waited, and leaves no mark on it', async () => {
  expect((await lab.run('federation unjoin myfed c2')).code).toBe(0)
  const second = await meanwhile('federation join myfed c2', 'federation delete myfed --yes')
  expect([second.code, second.out]).toEqual([5, ''])
  expect(second.err).toContain('coe: federation "myfed" has members: c2')
  expect((await lab.run('federation show myfed -f value -c status')).out).toBe('UPDATE_COMPLETE\n')
  expect((await lab.run('federation status myfed')).code).toBe(0)
})

it('waits no longer than its limit, and names the holder of the federation', async () => {
  const { begun, goOn } = holdChange()
  const first = lab.run('federation join myfed c3', one)
  await begun
  onRequest = undefined
  const second = await lab.run('federation unjoin myfed c2 --wait-timeout 1s', another)
  goOn()
  expect((await first).code).toBe(0)
  expect(second.code).toBe(5)
  expect(second.err).toMatch(/being changed by another run of coe \("join c3"\) on testhost \(process 4711/)
  expect(second.err).toContain('run this again')
})

it('lets two runs delete it at once, and leaves nothing', async () => {
  const line = 'federation delete myfed --unjoin --yes --ignore-not-found'
  const runs = await Promise.all([lab.run(line, one), lab.run(line, another)])
  expect(runs.map(r => r.code)).toEqual([0, 0])
  expect((await lab.run('federation list -f json')).out).toBe('[]\n')
})

it('lets two runs delete it at once, even if its namespace takes a while to go', async () => {
  expect((await lab.run(create, one)).code).toBe(0)
  const namespace = 'coe-fed-myfed'
  const api = await connectAdmin(lab.sandbox.host)
  const held = { apiVersion: 'v1', kind: 'ConfigMap', name: 'held', namespace }
  const metadata = { name: 'held', namespace, finalizers: ['example.org/keep'] }
  await api.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata })
  const place = new RegExp(String.raw`/namespaces/${namespace}(\?|$)`)
  const { begun, goOn } = holdChange('DELETE', place)
  const first = lab.run('federation delete myfed --yes', one)
  await begun
  const locking = nextRequest('POST', /\/leases/)
  const second = lab.run('federation delete myfed --yes', another)
  await locking
  goOn()
  const refused = () =>
    lab.sandbox.log.all().some(r => r.method === 'POST' && /\/leases/.test(r.url) && r.status === 403)
  await expect.poll(refused).toBe(true)
  await api.patch(held, { metadata: { finalizers: null } }, { type: 'merge' })
  onRequest = undefined
  const runs = await Promise.all([first, second])
  expect(runs.map(r => [r.code, r.out])).toEqual([
    [0, 'Federation myfed is deleted.\n'],
    [0, 'Federation myfed is deleted.\n'],
  ])
})
