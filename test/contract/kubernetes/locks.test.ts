/** The Lease of a federation's lock: one holder, renewed by version, taken over, released. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refOf } from '../../../src/kube/api/object.ts'
import { currentHolder, type LockOptions, takeLock } from '../../../src/kube/ownership/lease.ts'
import { leaseObject } from '../../../src/kube/ownership/lease-object.ts'
import { failureOf } from '../../support/kube.ts'
import { belongings, eventually } from './belongings.ts'
import { target, world } from './target.ts'

const clusters = await target()
const { api } = clusters.host
const ours = belongings(api)
let place: string
const someone = { run: 'other', machine: 'elsewhere', pid: 7, doing: 'join c9' }
const lease = (name: string, holder = someone, at = Date.now()) =>
  leaseObject({ namespace: place, name, labels: { 'coe-contract': 'lock' } }, holder, 15_000, at)
const lock = (name: string, changes: Partial<LockOptions> = {}): LockOptions => ({
  world,
  api,
  namespace: place,
  name,
  what: 'federation "x"',
  doing: 'create x',
  labels: { 'coe-contract': 'lock' },
  patienceMs: 0,
  signal: new AbortController().signal,
  note: () => {},
  ...changes,
})

beforeAll(async () => {
  if (clusters.there) place = await ours.namespace('locks')
})
afterAll(async () => {
  await ours.removeAll()
  await clusters.close()
})

describe.runIf(clusters.there)('a Lease', () => {
  it('keeps its holder, duration and time, to the microsecond', async () => {
    const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
    const { spec } = await api.create(lease('kept', someone, at))
    const expected = {
      holderIdentity: 'other on elsewhere',
      leaseDurationSeconds: 15,
      renewTime: '2026-01-02T03:04:05.678000Z',
    }
    expect(spec).toEqual(expected)
    expect((await api.get(refOf(lease('kept'))))?.spec).toEqual(expected)
  })

  it('is refused to the second creator, and to a renewal of an old version', async () => {
    const first = await api.create(lease('fought'))
    const error = await failureOf(api.create(lease('fought', { ...someone, run: 'mine' })))
    expect(error.details).toMatchObject({ status: 409, reason: 'AlreadyExists' })
    const renewal = (run: string) => {
      const next = lease('fought', { ...someone, run })
      return api.update({
        ...next,
        metadata: { ...next.metadata, resourceVersion: first.metadata.resourceVersion as string },
      })
    }
    await renewal('faster')
    expect((await failureOf(renewal('slower'))).details).toMatchObject({ status: 409, reason: 'Conflict' })
  })
})

describe.runIf(clusters.there)('a lock on it', () => {
  it('is renewed while it is held, refused to others meanwhile, and released', async () => {
    const held = await takeLock(lock('whole', { leaseMs: 1_500 }))
    const ref = refOf(lease('whole'))
    const first = (await api.get(ref))?.metadata.resourceVersion
    const error = await failureOf(takeLock(lock('whole')))
    expect(error.message).toContain('federation "x" is being changed by another run of coe ("create x")')
    expect(await currentHolder(lock('whole'))).toMatchObject({ run: held.runId })
    const renewed = async () => ((await api.get(ref))?.metadata.resourceVersion === first ? undefined : true)
    await eventually('a renewal', renewed)
    await held.release()
    expect(await api.exists(ref)).toBe(false)
    expect(held.signal.aborted).toBe(false)
  })

  it('is taken over from a run that stopped renewing long ago', async () => {
    await api.create(lease('silent', someone, Date.now() - 3_600_000))
    const notes: string[] = []
    const taken = await takeLock(lock('silent', { note: text => notes.push(text) }))
    expect(notes.join()).toContain('took over from another run of coe ("join c9") on elsewhere')
    await taken.release()
  })
})
