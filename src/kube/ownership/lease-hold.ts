/**
 * Holds a lock by renewing its lease until it is released. While the server cannot be reached, the lock is in doubt. When the server
 * answers again, the lock is ours again, unless another run has taken it meanwhile.
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
  /** A time in which the lock is certainly ours. */
  let period = newPeriod(options.signal)
  let nudge = new AbortController()
  /** Callbacks for the result of the next renewal. */
  let waiting: ((error: unknown) => void)[] = []

  const doubt = (cause: unknown) => period.end(notKept(what, cause))

  async function renew(withinMs: number): Promise<void> {
    // the limit includes repeated requests, and the pauses that a busy server asks for
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
    await readAgain(signal) // either the answer to a renewal was lost, or another run has the lock
  }

  async function readAgain(signal: AbortSignal): Promise<void> {
    const live = await api.get(ref, { signal })
    // it was deleted just now: the next renewal creates it again
    if (!live) throw failed(`the lock on ${what} does not exist`, { details: { status: 503 } })
    const holder = holderOf(live)
    if (holder?.run !== me.run) throw holder ? lostTo(what, holder) : notKept(what)
    version = live.metadata.resourceVersion
  }

  /** The lease was deleted. Another run may have held the lock in between, so everything read before is in doubt. */
  async function remake(next: KubeObject, gone: unknown, signal: AbortSignal): Promise<void> {
    doubt(gone)
    try {
      ;({ resourceVersion: version, uid } = (await api.create(next, { signal })).metadata)
    } catch (error) {
      if (isTransient(error)) throw error
      if (alreadyExists(error)) return await readAgain(signal)
      throw notKept(what, error) // its namespace is deleted or being deleted
    }
  }

  async function keep(): Promise<void> {
    let last = clock.now()
    let pause = leaseMs / 3
    /** Another run may take the lease once it was not renewed for `leaseMs`, so this run stops well before. */
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
        if (lost || left() <= 0) period.end(lost ?? notKept(what, error))
        tell(error)
        if (lost) return
        pause = period.isOver() ? Math.min(pauseMs, leaseMs / 15) : Math.min(leaseMs / 15, left())
      }
    }
  }

  /** Sleeps, but ends early when a caller of `confirm` waits. */
  async function nap(ms: number): Promise<void> {
    await clock.sleep(ms, AbortSignal.any([ended.signal, nudge.signal])).catch(() => ended.signal.throwIfAborted())
    nudge = new AbortController()
  }

  function tell(error: unknown): void {
    const callbacks = waiting
    waiting = []
    for (const callback of callbacks) callback(error)
  }

  const nextRenewal = (soon: boolean): Promise<unknown> =>
    new Promise(resolve => {
      waiting.push(resolve)
      options.signal.addEventListener('abort', () => resolve(options.signal.reason), { once: true })
      if (soon) nudge.abort()
    })

  /** Checks that the server answers, once the lease is going away with its namespace. */
  const checkServer = (): Promise<unknown> =>
    api.get(ref, { signal: options.signal }).then(
      () => undefined,
      (error: unknown) => error,
    )

  const keeping = keep().catch(() => {}) // release() ends its pause with an error

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
        const error = vanishing ? await checkServer() : await nextRenewal(!waited)
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
      ended.abort(new Error('the lock was released'))
      await keeping
      if (lost) return
      // not the operation's signal: after Ctrl-C the lock is released as well, so that the next run need not wait
      const signal = AbortSignal.timeout(4_000)
      // in doubt, delete only the version that this run wrote: another run may hold the lease now
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
    hint: 'check what that run does, then run this again',
    details: { reason: lossReason },
  })

const notKept = (what: string, cause?: unknown): CoeError =>
  failed(`the lock on ${what} could not be renewed, so this run stopped`, {
    hint: 'run this again',
    cause,
    details: { reason: lossReason },
  })
