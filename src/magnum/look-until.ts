/** What waiting has in common, whatever is looked at: patience with servers, a pace, and an end to silence. */
import { answering } from '../core/errors.ts'
import { patient } from '../core/patience.ts'
import { poll } from '../core/poll.ts'
import type { Operation } from '../model/operation.ts'
import type { MagnumContext } from './magnum-context.ts'

/** How long an accepted change may leave no trace before we say that nothing comes of it. */
export const silenceMs = 45_000

export const conductorHint = 'its conductor refused; an operator finds the reason in the log of magnum-conductor'

export const gone = answering('notFound', 'gone' as const)

interface Changing {
  status?: string | null
  updated_at?: string | null
}

/** Has the change left a trace? */
export const differs = (now: Changing, before: Changing | undefined): boolean =>
  now.status !== before?.status || now.updated_at !== before?.updated_at

export interface Looker<T> {
  look(): Promise<T | undefined>
  /** What it saw last, for whoever gives up. */
  seen(): string | undefined
}

export function lookUntil<T>({ clock }: MagnumContext, looker: Looker<T>, op: Operation, what: string): Promise<T> {
  return poll(patient(looker.look, { clock, onTrouble: e => op.report.note(e.message) }), {
    clock,
    timeoutMs: op.waitTimeoutMs,
    signal: op.signal,
    intervalMs: 500,
    maxIntervalMs: 5_000,
    what,
    lastSeen: looker.seen,
  })
}
