/** How a change is to be carried out: what every mutating call of a Backend takes. */

/** Told by whoever works, shown by whoever talks to the person: see io/progress.ts. */
export interface Report {
  /** A part of the work began or its state changed; `trouble`: the text says why something does not come about. */
  step(id: string, text: string, trouble?: boolean): void
  done(id: string, text?: string): void
  fail(id: string, text?: string): void
  /** Something worth a line that is no step. */
  note(text: string): void
}

export interface Operation {
  /** Look until what was asked for is so; else return as soon as the request was accepted, or what can be done at once is done. */
  wait: boolean
  waitTimeoutMs: number
  dryRun: boolean
  signal: AbortSignal
  report: Report
  /** Told as soon as the server took the request, before any waiting; not told when nothing was to be done. */
  accepted?: (uuid: string) => void
}

/** One change to a thing: Magnum's three verbs, and a path such as `node_count` or `labels/foo`. */
export interface Edit {
  op: 'add' | 'replace' | 'remove'
  path: string
  value?: string | number | boolean
}

export interface Page {
  /** At most so many in all. Undefined: all pages. */
  limit?: number
  /** The identifier of the last one seen. */
  marker?: string
  sortKey?: string
  sortDir?: 'asc' | 'desc'
}
