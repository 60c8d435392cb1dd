/** How a change is to be carried out: the last that every changing method of a Backend needs. */
import type { Call } from './call.ts'

export interface Operation {
  /** Look until what was asked for is so; else return as soon as the request was accepted, or what can be done at once is done. */
  wait: boolean
  waitTimeoutMs: number
  dryRun: boolean
  /** Told as soon as the server took the request, before any waiting; not told when nothing was to be done. */
  accepted?: (uuid: string) => void
}

/** An operation and the call that it belongs to, as the functions below a Backend hand them on. */
export type ScopedOperation = Call & Operation

export interface Page {
  /** At most so many in all. Undefined: all pages. */
  limit?: number
  /** The identifier of the last one seen. */
  marker?: string
  sortKey?: string
  sortDir?: 'asc' | 'desc'
}
