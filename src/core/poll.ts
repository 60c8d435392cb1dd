import { timedOut } from './errors.ts'
import { formatDuration } from './time.ts'
import type { Clock } from './world.ts'

export interface PollOptions {
  clock: Clock
  /** Undefined: no deadline; only the signal ends the loop. */
  timeoutMs?: number | undefined
  /** The first pause; each further pause is 1.5 times as long, up to `maxIntervalMs`. */
  intervalMs?: number
  maxIntervalMs?: number
  signal?: AbortSignal | undefined
  /** Completes "gave up waiting for … after 5m": `cluster "c1" to be CREATE_COMPLETE`. */
  what: string
  /** The last state seen, for the error of a wait that times out. */
  lastSeen?: () => string | undefined
}

/**
 * Repeats `check` until it returns a value other than undefined, the deadline passes or the signal aborts. The error of
 * a timeout says what was seen last.
 */
export async function poll<T>(check: () => Promise<T | undefined>, options: PollOptions): Promise<T> {
  const { clock, signal, timeoutMs } = options
  const deadline = timeoutMs === undefined ? undefined : clock.now() + timeoutMs
  const longest = options.maxIntervalMs ?? 5_000
  let pause = options.intervalMs ?? 500
  for (;;) {
    signal?.throwIfAborted()
    const answer = await check()
    if (answer !== undefined) return answer
    const left = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - clock.now()
    if (left <= 0) {
      const last = options.lastSeen?.()
      throw timedOut(
        `gave up waiting for ${options.what} after ${formatDuration(timeoutMs ?? 0)}${last ? `; last seen: ${last}` : ''}`,
      )
    }
    await clock.sleep(Math.min(pause, left), signal)
    pause = Math.min(pause * 1.5, longest)
  }
}
