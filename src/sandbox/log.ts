import type { Clock } from '../core/world.ts'

export interface LoggedRequest {
  readonly number: number
  readonly service: string
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  /** Who asked, as it calls itself: clusters ask each other, too. */
  readonly agent: string
  readonly startedAt: number
  /** Undefined while it is being answered. */
  endedAt: number | undefined
  /** What the client was told; 0 when it was told nothing (reset, dead). */
  status: number | undefined
  /** The service was asked and did its work, whatever the client learnt. */
  processed: boolean
  /** False for what only asks, whatever the method: a login, a review of access. */
  readonly changes: boolean
}

export interface RequestLog {
  start(entry: { service: string; method: string; url: string; agent: string; changes: boolean }): LoggedRequest
  end(entry: LoggedRequest, status: number): void
  all(): readonly LoggedRequest[]
  /** Those that meant to change something: the points at which a crash matrix kills. */
  writes(): readonly LoggedRequest[]
  clear(): void
}

export function createLog(clock: Clock): RequestLog {
  let entries: LoggedRequest[] = []
  let count = 0
  return {
    start(entry) {
      const logged: LoggedRequest = {
        number: ++count,
        ...entry,
        startedAt: clock.now(),
        endedAt: undefined,
        status: undefined,
        processed: false,
      }
      entries.push(logged)
      return logged
    },
    end(entry, status) {
      entry.status = status
      entry.endedAt = clock.now()
    },
    all: () => entries,
    writes: () => entries.filter(entry => entry.changes),
    clear() {
      entries = []
    },
  }
}
