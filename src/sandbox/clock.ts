import { systemClock } from '../core/time.ts'
import type { Clock } from '../core/world.ts'

/**
 * The sandbox's own time. It runs `speed` times as fast as the clock beneath (0: it stands still), and a test may move it
 * on by hand, so that a cluster that takes ten minutes is made in none.
 */
export interface SandboxClock extends Clock {
  readonly speed: number
  /** Does `work` once `ms` of sandbox time have passed; answers a function that calls it off. */
  after(ms: number, work: () => void): () => void
  /** Moves time on; everything that falls due on the way is done, in order, before this returns. */
  advance(ms: number): void
  /** Does what has fallen due. Called before each request, so that an answer never shows a state that is already past. */
  runDue(): void
  /** Drops all that is pending; sleepers are rejected. */
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

/** Made once: an abort without a reason makes an error with a stack each time. */
const otherwise = new Error('something else is due first')

export function createSandboxClock(options: SandboxClockOptions = {}): SandboxClock {
  const base = options.base ?? systemClock
  const speed = options.speed ?? 1
  const origin = base.now()
  let skipped = 0
  let replayed: number | undefined // while due work runs, it is the time at which it was due
  let alarm: { at: number; off: AbortController } | undefined
  let pending: Pending[] = []

  const flowing = () => origin + (base.now() - origin) * speed + skipped
  const now = () => replayed ?? flowing()

  const arm = () => {
    const first = pending[0]
    const at = first && first.at - skipped
    // asked before each request: most of the time nothing has changed
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
    if (replayed !== undefined) return // due work that asks for due work: the outer loop gets to it
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
          work: () => settle(resolve),
          drop: reason => settle(() => reject(reason)),
        }
        const onAbort = () => {
          remove(entry)
          reject(signal?.reason)
        }
        const settle = (end: () => void) => {
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
