/** How to carry out a change, for methods of a Backend that can wait for it or only plan it. */
import type { Call } from './call.ts'

export interface Operation {
  /** Wait until the change is complete; otherwise return once the request is accepted, or once all that needs no waiting is done. */
  wait: boolean
  waitTimeoutMs: number
  dryRun: boolean
  /** Called once the server accepts the request, before any waiting; not called when there is nothing to do. */
  accepted?: (uuid: string) => void
}

/** An operation with its call: backends pass them on as one value. */
export type ScopedOperation = Call & Operation

export interface Page {
  /** Maximum number in all. Undefined: all pages. */
  limit?: number
  /** Start after the object with this identifier. */
  marker?: string
  sortKey?: string
  sortDir?: 'asc' | 'desc'
}
