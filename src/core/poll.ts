import { timedOut } from './errors.ts'
import { formatDuration } from './time.ts'
import type { Clock } from './world.ts'

export interface PollOptions {
  clock: Clock
  /** Undefined: no deadline of its own; the signal ends it. */
  timeoutMs?: number | undefined
  /** The first pause; each further one is half as long again, up to `maxIntervalMs`. */
  intervalMs?: number
  maxIntervalMs?: number
  signal?: AbortSignal | undefined
  /** Completes "gave up waiting for … after 5m": `cluster "c1" to be CREATE_COMPLETE`. */
  what: string
  /** What was seen last, for the error of a wait that ends in vain. */
  lastSeen?: () => string | undefined
}

/**
 * Looks until `look` answers something other than undefined. The only waiting loop of the program: each has a deadline
 * or a signal, and one that ends in vain says what it saw last.
 */
export async function poll<T>(look: () => Promise<T | undefined>, options: PollOptions): Promise<T> {
  const { clock, signal, timeoutMs } = options
  const deadline = timeoutMs === undefined ? undefined : clock.now() + timeoutMs
  const longest = options.maxIntervalMs ?? 5_000
  let pause = options.intervalMs ?? 500
  for (;;) {
    signal?.throwIfAborted()
    const answer = await look()
    if (answer !== undefined) return answer
    const left = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - clock.now()
    if (left <= 0) {
      const seen = options.lastSeen?.()
      throw timedOut(
        `gave up waiting for ${options.what} after ${formatDuration(timeoutMs ?? 0)}${seen ? `; last seen: ${seen}` : ''}`,
      )
    }
    await clock.sleep(Math.min(pause, left), signal)
    pause = Math.min(pause * 1.5, longest)
  }
}
