import { systemClock } from '../core/time.ts'
import type { Clock } from '../core/world.ts'

/**
 * The sandbox's own time. It runs `speed` times as fast as the underlying clock (0: it stands still), and a test can
 * advance it, so that a cluster that takes ten minutes is made at once.
 */
export interface SandboxClock extends Clock {
  readonly speed: number
  /** Runs `work` after `ms` of sandbox time; returns a function that cancels it. */
  after(ms: number, work: () => void): () => void
  /** Advances time, and runs everything that becomes due meanwhile, in order, before returning. */
  advance(ms: number): void
  /** Runs the work that is due. Called before each request, so that an answer never shows an outdated state. */
  runDue(): void
  /** Drops all pending work and rejects sleepers. */
  stop(): void
}

interface Pending {
  at: number
  work: () => void
  drop?: (reason: unknown) => void
}

export interface SandboxClockOptions {
  base?: Clock | undefined
  speed?: number | undefined
}

/** Made once, because an abort without a reason creates an error with a stack each time. */
const otherwise = new Error('something else is due first')

export function createSandboxClock(options: SandboxClockOptions = {}): SandboxClock {
  const base = options.base ?? systemClock
  const speed = options.speed ?? 1
  const origin = base.now()
  let skipped = 0
  let replayed: number | undefined // while due work runs: the time at which it was due
  let alarm: { at: number; off: AbortController } | undefined
  let pending: Pending[] = []

  const flowing = () => origin + (base.now() - origin) * speed + skipped
  const now = () => replayed ?? flowing()

  const arm = () => {
    const first = pending[0]
    const at = first && first.at - skipped
    // runs before each request: most of the time nothing has changed
    if (alarm && alarm.at === at) return
    alarm?.off.abort(otherwise)
    alarm = undefined
    if (at === undefined || speed === 0) return
    const mine = { at, off: new AbortController() }
    alarm = mine
    const rings = () => {
      if (alarm === mine) alarm = undefined
      runDue()
    }
    base.sleep(Math.max(0, (at + skipped - flowing()) / speed), mine.off.signal).then(rings, () => {})
  }

  const runDue = () => {
    if (replayed !== undefined) return // due work that runs due work: the outer loop handles it
    const until = flowing()
    try {
      for (let first = pending[0]; first && first.at <= until; first = pending[0]) {
        pending.shift()
        replayed = first.at
        first.work()
      }
    } finally {
      replayed = undefined
    }
    arm()
  }

  const add = (entry: Pending) => {
    const place = pending.findIndex(other => other.at > entry.at)
    pending.splice(place === -1 ? pending.length : place, 0, entry)
    if (pending[0] === entry && replayed === undefined) arm()
  }
  const remove = (entry: Pending) => {
    const wasFirst = pending[0] === entry
    pending = pending.filter(other => other !== entry)
    if (wasFirst && replayed === undefined) arm()
  }

  return {
    speed,
    now,
    after(ms, work) {
      const entry: Pending = { at: now() + ms, work }
      add(entry)
      return () => remove(entry)
    },
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const entry: Pending = {
          at: now() + ms,
          work: () => finish(resolve),
          drop: reason => finish(() => reject(reason)),
        }
        const onAbort = () => {
          remove(entry)
          reject(signal?.reason)
        }
        const finish = (end: () => void) => {
          signal?.removeEventListener('abort', onAbort)
          end()
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        add(entry)
      })
    },
    advance(ms) {
      skipped += ms
      runDue()
    },
    runDue,
    stop() {
      const left = pending
      pending = []
      alarm?.off.abort(otherwise)
      for (const entry of left) entry.drop?.(new Error('the sandbox was stopped'))
    },
  }
}
