/** A look that fails for a moment is no reason to end a long wait: servers restart, networks blink. */
import type { CoeError } from './errors.ts'
import { mayPass } from './failed-request.ts'
import type { Clock } from './world.ts'

export interface Patience {
  clock: Clock
  /** Failures in a row are forgiven for so long. */
  forMs?: number
  /** Told of the first failure of each row. */
  onTrouble?(error: CoeError): void
}

/** The same look, undefined where it failed in a way that passes. */
export function patient<T>(look: () => Promise<T | undefined>, patience: Patience): () => Promise<T | undefined> {
  const { clock, forMs = 60_000, onTrouble } = patience
  let since: number | undefined
  return async () => {
    try {
      const answer = await look()
      since = undefined
      return answer
    } catch (error) {
      if (!mayPass(error)) throw error
      if (since === undefined) {
        since = clock.now()
        onTrouble?.(error)
      } else if (clock.now() - since > forMs) throw error
      return undefined
    }
  }
}
