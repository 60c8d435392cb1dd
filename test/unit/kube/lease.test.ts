import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { poll } from '../../../src/core/poll.ts'
import { systemClock } from '../../../src/core/time.ts'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import { currentHolder, type Lock, type LockOptions, takeLock } from '../../../src/kube/ownership/lease.ts'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { connectAdmin, failureOf, kubeWorld, namespaceObject } from '../../support/kube.ts'

let sandbox: KubeSandbox
let api: ClusterApi
let count = 0

beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  api = await connectAdmin(sandbox.host)
  await api.create(namespaceObject('kp-lease'))
})
afterAll(() => sandbox.close())

const notes: string[] = []
const lockOptions = (changes: Partial<LockOptions> = {}): LockOptions => ({
  world: kubeWorld({ hostname: 'this-machine', pid: 100, isRunning: () => true }),
  api,
  namespace: 'kp-lease',
  name: `lock-${count}`,
  what: 'federation "myfed"',
  doing: 'join c2',
  labels: { 'coe/federation': 'myfed' },
  patienceMs: 0,
  signal: new AbortController().signal,
  note: text => void notes.push(text),
  ...changes,
})
const leaseRef = () => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  name: `lock-${count}`,
  namespace: 'kp-lease',
})
const aborted = (lock: Lock) =>
  poll(async () => (lock.signal.aborted ? lock.signal.reason : undefined), {
    clock: systemClock,
    timeoutMs: 15_000,
    intervalMs: 20,
    what: 'the lock to be lost',
  })

test('the second is told who holds it, where, and for what', async () => {
  count++
  const lock = await takeLock(lockOptions())
  const error = await failureOf(takeLock(lockOptions()))
  expect(error.message).toContain(
    'federation "myfed" is being changed by another run of coe ("join c2") on this-machine (process 100',
  )
  expect(error.exitCode).toBe(5)
  expect(await currentHolder(lockOptions())).toMatchObject({ run: lock.runId, doing: 'join c2' })
  await lock.release()
  expect(await api.exists(leaseRef())).toBe(false)
  expect(await currentHolder(lockOptions())).toBeUndefined()
})

test('the second waits, when it may, and goes on as soon as the first has ended', async () => {
  count++
  const first = await takeLock(lockOptions({ leaseMs: 60_000 }))
  const second = takeLock(lockOptions({ patienceMs: 10_000, leaseMs: 2_000 }))
  await poll(async () => (notes.some(n => n.includes(first.runId)) ? true : undefined), {
    clock: systemClock,
    timeoutMs: 30_000,
    intervalMs: 10,
    what: 'a note',
  })
  await first.release()
  const lock = await second
  expect(lock.runId).not.toBe(first.runId)
  await lock.release()
})

test('a holder that died on this machine is not waited for', async () => {
  count++
  const dead = await takeLock(lockOptions({ leaseMs: 60_000 }))
  const world = kubeWorld({ hostname: 'this-machine', pid: 101, isRunning: pid => pid !== 100 })
  expect(await currentHolder(lockOptions({ world }))).toBeUndefined()
  const lock = await takeLock(lockOptions({ world }))
  expect(lock.runId).not.toBe(dead.runId)
  expect(notes.at(-1)).toContain('took over from')
  await lock.release()
  await dead.release()
})

test('one on another machine is taken over when it has not moved for as long as a lease lasts', async () => {
  count++
  const far = kubeWorld({
    hostname: 'far-away',
    pid: 100,
    clock: { ...systemClock, sleep: () => new Promise(() => {}) },
  })
  await takeLock(lockOptions({ world: far, leaseMs: 600 })) // never renews: its clock stands still
  const lock = await takeLock(
    lockOptions({ patienceMs: 10_000, leaseMs: 600, world: kubeWorld({ isRunning: () => false }) }),
  )
  await lock.release()
})

test('a lock that is kept outlives its lease', async () => {
  count++
  const lock = await takeLock(lockOptions({ leaseMs: 2_000 }))
  const error = await failureOf(takeLock(lockOptions({ patienceMs: 3_000, leaseMs: 2_000 })))
  expect(error.message).toContain(lock.runId)
  expect(lock.signal.aborted).toBe(false)
  await lock.release()
})

test('who loses it to another stops, and says to whom', async () => {
  count++
  const lock = await takeLock(lockOptions({ leaseMs: 3_000 }))
  await api.delete(leaseRef())
  const thief = await takeLock(lockOptions({ doing: 'delete' }))
  expect((await aborted(lock)).message).toContain('was taken over by another run of coe ("delete")')
  await lock.release() // does not take the lease of the other away
  expect(await api.exists(leaseRef())).toBe(true)
  await thief.release()
})

test('who cannot renew it stops before another may take it', async () => {
  for (const effect of [{ kind: 'answer', status: 500 }, { kind: 'silence-before' }] as const) {
    count++
    const begun = systemClock.now()
    const lock = await takeLock(lockOptions({ leaseMs: 5_000 }))
    const fault = sandbox.host.faults.order({ method: 'PUT', path: /leases/, effect, times: 1_000 })
    await once(lock.signal, 'abort')
    expect(systemClock.now() - begun).toBeLessThan(4_950)
    expect(lock.signal.reason.message).toContain('could not be renewed')
    fault.remove()
    await lock.release()
  }
})

test('it is ours again when the server comes back, and nobody else has taken it', async () => {
  for (const effect of [
    { kind: 'answer', status: 503 },
    { kind: 'reset-before' },
    { kind: 'silence-before' },
  ] as const) {
    count++
    notes.length = 0
    const lock = await takeLock(lockOptions({ leaseMs: 2_000 }))
    const { signal } = lock
    const fault = sandbox.host.faults.order({ path: /leases/, effect, times: Number.POSITIVE_INFINITY })
    await once(signal, 'abort')
    expect(lock.isHeld()).toBe(false)
    const back = lock.confirm(60_000)
    await poll(async () => (notes.length ? true : undefined), {
      clock: systemClock,
      timeoutMs: 30_000,
      intervalMs: 10,
      what: 'a note',
    })
    expect(notes).toEqual([
      expect.stringMatching(/^federation "myfed": its host does not answer \(.*\); waiting for it$/),
    ])
    fault.remove()
    expect(await back).toEqual({ waited: true })
    expect([lock.isHeld(), lock.signal.aborted, signal.aborted]).toEqual([true, false, true])
    expect(await failureOf(takeLock(lockOptions()))).toMatchObject({ exitCode: 5 })
    expect(await lock.confirm(0)).toEqual({ waited: false })
    await lock.release()
    expect(await api.exists(leaseRef())).toBe(false)
  }
})

test('a server that stays away ends the wait with what it last said', async () => {
  count++
  const lock = await takeLock(lockOptions({ leaseMs: 1_500 }))
  const fault = sandbox.host.faults.order({
    path: /leases/,
    effect: { kind: 'answer', status: 503 },
    times: Number.POSITIVE_INFINITY,
  })
  await once(lock.signal, 'abort')
  expect((await failureOf(lock.confirm(200))).message).toMatch(/503|no answer within/)
  fault.remove()
  await lock.release()
})

test('who finds it gone makes it again, and was in doubt: somebody may have worked in between', async () => {
  count++
  const lock = await takeLock(lockOptions({ leaseMs: 1_500 }))
  const { signal } = lock
  await api.delete(leaseRef())
  await once(signal, 'abort')
  await lock.confirm(10_000)
  expect([lock.isHeld(), await api.exists(leaseRef())]).toEqual([true, true])
  await lock.release()
  expect(await api.exists(leaseRef())).toBe(false)
})

test('who was away while another took it learns to whom it is lost', async () => {
  count++
  const lock = await takeLock(lockOptions({ leaseMs: 1_500 }))
  const fault = sandbox.host.faults.order({
    method: 'PUT',
    path: /leases/,
    effect: { kind: 'answer', status: 503 },
    times: Number.POSITIVE_INFINITY,
  })
  await once(lock.signal, 'abort')
  await api.delete(leaseRef())
  const thief = await takeLock(lockOptions({ doing: 'delete', leaseMs: 60_000 }))
  fault.remove()
  expect(await failureOf(lock.confirm(10_000))).toMatchObject({
    exitCode: 5,
    message: expect.stringContaining('was taken over by another run of coe ("delete")'),
  })
  expect(lock.isHeld()).toBe(false)
  await lock.release()
  expect(await api.exists(leaseRef())).toBe(true)
  await thief.release()
})

test('when its namespace is to go, that is no loss', async () => {
  count++
  const lock = await takeLock(lockOptions({ leaseMs: 600 }))
  lock.endsWithItsNamespace()
  await api.delete(leaseRef())
  const renewals = () => sandbox.host.log.all().filter(r => r.method === 'PUT' && r.url.includes(`lock-${count}?`))
  await poll(async () => (renewals().some(r => r.status === 404) ? true : undefined), {
    clock: systemClock,
    timeoutMs: 30_000,
    intervalMs: 20,
    what: 'a renewal that finds nothing',
  })
  expect(lock.signal.aborted).toBe(false)
  await lock.release()
})
