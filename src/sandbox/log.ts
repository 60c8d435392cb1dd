import type { Clock } from '../core/world.ts'

export interface LoggedRequest {
  readonly number: number
  readonly service: string
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  /** The User-Agent: clusters send requests to each other, too. */
  readonly agent: string
  readonly startedAt: number
  /** Undefined until the answer ends. */
  endedAt: number | undefined
  /** The status that the client got; 0 if it got none (reset, dead). */
  status: number | undefined
  /** Whether the service did its work, whatever the client learnt. */
  processed: boolean
  /** False for requests that only read, whatever the method: a login, a review of access. */
  readonly changes: boolean
}

export interface RequestLog {
  start(entry: { service: string; method: string; url: string; agent: string; changes: boolean }): LoggedRequest
  end(entry: LoggedRequest, status: number): void
  all(): readonly LoggedRequest[]
  /** The requests that were meant to change something: the points at which a crash matrix kills. */
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
