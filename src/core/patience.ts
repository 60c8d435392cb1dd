/** Temporary failures must not end a long wait: servers restart, networks fail for a moment. */
import type { CoeError } from './errors.ts'
import { isTransient } from './failed-request.ts'
import type { Clock } from './world.ts'

export interface Patience {
  clock: Clock
  /** How long consecutive failures are tolerated. */
  forMs?: number
  /** Called for the first of consecutive failures. */
  onTrouble?(error: CoeError): void
}

/** Wraps `check` to return undefined after a temporary failure. */
export function patient<T>(check: () => Promise<T | undefined>, patience: Patience): () => Promise<T | undefined> {
  const { clock, forMs = 60_000, onTrouble } = patience
  let since: number | undefined
  return async () => {
    try {
      const answer = await check()
      since = undefined
      return answer
    } catch (error) {
      if (!isTransient(error)) throw error
      if (since === undefined) {
        since = clock.now()
        onTrouble?.(error)
      } else if (clock.now() - since > forMs) throw error
      return undefined
    }
  }
}
