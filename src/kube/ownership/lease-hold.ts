/**
 * Holding a lock: its lease is renewed until it is given back. While its server cannot be reached nobody may rely on it, and it is ours
 * again as soon as the server answers, unless somebody else has taken it meanwhile.
 */
import { setMaxListeners } from 'node:events'
import { CoeError, conflict, failed } from '../../core/errors.ts'
import { isTransient } from '../../core/failed-request.ts'
import { formatDuration } from '../../core/time.ts'
import { alreadyExists, isConflict, isNotFound } from '../api/errors.ts'
import type { KubeObject } from '../api/object.ts'
import type { Lock, LockOptions } from './lease.ts'
import { type Holder, holderOf, leaseObject, leaseRef, whoText } from './lease-object.ts'

const pauseMs = 1_000

export function hold(options: LockOptions, first: KubeObject, me: Holder, leaseMs: number): Lock {
  const { api, world, what } = options
  const { clock } = world
  const ref = leaseRef(options)
  const ended = new AbortController()
  let { resourceVersion: version, uid } = first.metadata
  let vanishing = false
  let lost: CoeError | undefined
  /** Of one period without a doubt. */
  let period = newPeriod(options.signal)
  let nudge = new AbortController()
  /** Told how the next renewal ended. */
  let waiting: ((error: unknown) => void)[] = []

  const doubt = (cause: unknown) => period.end(unkept(what, cause))

  async function renew(withinMs: number): Promise<void> {
    // for all of it: requests that are repeated, and the pauses that a busy server asks for
    const limit = AbortSignal.timeout(withinMs)
    const signal = AbortSignal.any([ended.signal, limit])
    const next = leaseObject(options, me, leaseMs, clock.now())
    try {
      await write(next, signal)
    } catch (error) {
      if (!limit.aborted) throw error
      throw failed(`no answer within ${formatDuration(withinMs)}`, { cause: error, details: { code: 'ETIMEDOUT' } })
    }
  }

  async function write(next: KubeObject, signal: AbortSignal): Promise<void> {
    const metadata = { ...next.metadata, ...(version ? { resourceVersion: version } : {}) }
    try {
      version = (await api.update({ ...next, metadata }, { signal })).metadata.resourceVersion
      return
    } catch (error) {
      if (isNotFound(error) && !vanishing) return await remake(next, error, signal)
      if (!isConflict(error)) throw error
    }
    await readAgain(signal) // a renewal whose answer was lost, or somebody else's lock
  }

  async function readAgain(signal: AbortSignal): Promise<void> {
    const live = await api.get(ref, { signal })
    // deleted this moment: the next renewal makes it again
    if (!live) throw failed(`the lock on ${what} is not there`, { details: { status: 503 } })
    const holder = holderOf(live)
    if (holder?.run !== me.run) throw holder ? lostTo(what, holder) : unkept(what)
    version = live.metadata.resourceVersion
  }

  /** Nobody has it. Whoever deleted it may have worked in between, so what was known before is in doubt. */
  async function remake(next: KubeObject, gone: unknown, signal: AbortSignal): Promise<void> {
    doubt(gone)
    try {
      ;({ resourceVersion: version, uid } = (await api.create(next, { signal })).metadata)
    } catch (error) {
      if (isTransient(error)) throw error
      if (alreadyExists(error)) return await readAgain(signal)
      throw unkept(what, error) // its namespace is gone, or is about to go
    }
  }

  async function keep(): Promise<void> {
    let last = clock.now()
    let pause = leaseMs / 3
    /** Another may take it once it has not moved for its whole length: we stop well before. */
    const left = () => Math.ceil(last + leaseMs * 0.8 - clock.now())
    for (;;) {
      await nap(pause)
      const began = clock.now()
      try {
        const most = Math.ceil(leaseMs / 3)
        await renew(period.isOver() ? most : Math.max(1, Math.min(most, left())))
        last = began
        pause = leaseMs / 3
        if (period.isOver()) period = newPeriod(options.signal)
        tell(undefined)
      } catch (error) {
        if (ended.signal.aborted || vanishing) return tell(error)
        if (error instanceof CoeError && !isTransient(error) && isLoss(error)) lost = error
        if (lost || left() <= 0) period.end(lost ?? unkept(what, error))
        tell(error)
        if (lost) return
        pause = period.isOver() ? Math.min(pauseMs, leaseMs / 15) : Math.min(leaseMs / 15, left())
      }
    }
  }

  /** Ends early when somebody wants to know. */
  async function nap(ms: number): Promise<void> {
    await clock.sleep(ms, AbortSignal.any([ended.signal, nudge.signal])).catch(() => ended.signal.throwIfAborted())
    nudge = new AbortController()
  }

  function tell(error: unknown): void {
    const told = waiting
    waiting = []
    for (const one of told) one(error)
  }

  const nextRenewal = (soon: boolean): Promise<unknown> =>
    new Promise(resolve => {
      waiting.push(resolve)
      options.signal.addEventListener('abort', () => resolve(options.signal.reason), { once: true })
      if (soon) nudge.abort()
    })

  /** Where there is no lease to renew any more. */
  const look = (): Promise<unknown> =>
    api.get(ref, { signal: options.signal }).then(
      () => undefined,
      (error: unknown) => error,
    )

  const keeping = keep().catch(() => {}) // a pause ends with an error when we are done

  return {
    runId: me.run,
    get signal() {
      return period.signal
    },
    isHeld: () => lost === undefined && !period.isOver(),
    async confirm(limitMs) {
      const until = clock.now() + limitMs
      for (let waited = false; ; waited = true) {
        options.signal.throwIfAborted()
        if (lost) throw lost
        const error = vanishing ? await look() : await nextRenewal(!waited)
        if (error === undefined) return { waited }
        if (!isTransient(error) || clock.now() >= until) throw error
        if (!waited) options.note(`${what}: its host does not answer (${error.message}); waiting for it`)
        if (vanishing) await clock.sleep(pauseMs, options.signal)
      }
    },
    endsWithItsNamespace() {
      vanishing = true
    },
    async release() {
      const certain = !period.isOver()
      ended.abort(new Error('the lock was given back'))
      await keeping
      if (lost) return
      // after Ctrl-C as well: whoever comes next should not have to wait
      const signal = AbortSignal.timeout(4_000)
      // in doubt, only the lease that we know: another run may have it now
      const only = certain ? {} : { resourceVersion: version }
      await api.delete(ref, { uid, ...only, signal }).catch(() => false)
    },
  }
}

interface Period {
  signal: AbortSignal
  isOver(): boolean
  end(reason: CoeError): void
}

function newPeriod(operation: AbortSignal): Period {
  const over = new AbortController()
  const signal = AbortSignal.any([operation, over.signal])
  setMaxListeners(0, signal) // each request under the lock listens to it
  return { signal, isOver: () => over.signal.aborted, end: reason => over.abort(reason) }
}

const lossReason = 'LockLost'
const isLoss = (error: CoeError): boolean => error.details.reason === lossReason

const lostTo = (what: string, holder: Holder): CoeError =>
  conflict(`${what} was taken over by ${whoText(holder)} while this run worked on it`, {
    hint: 'see what it does, then run this again',
    details: { reason: lossReason },
  })

const unkept = (what: string, cause?: unknown): CoeError =>
  failed(`the lock on ${what} could not be kept, so this run stopped`, {
    hint: 'run this again',
    cause,
    details: { reason: lossReason },
  })
