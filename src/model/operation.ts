/** How a change is to be carried out, for methods of a Backend that can wait for it or only plan it. */
import type { Call } from './call.ts'

export interface Operation {
  /** Look until what was asked for is so; else return as soon as the request was accepted, or what can be done at once is done. */
  wait: boolean
  waitTimeoutMs: number
  dryRun: boolean
  /** Told as soon as the server took the request, before any waiting; not told when nothing was to be done. */
  accepted?: (uuid: string) => void
}

/** An operation with its call: backends pass them on as one value. */
export type ScopedOperation = Call & Operation

export interface Page {
  /** At most so many in all. Undefined: all pages. */
  limit?: number
  /** The identifier of the last one seen. */
  marker?: string
  sortKey?: string
  sortDir?: 'asc' | 'desc'
}
