/** What waiting has in common, whatever is looked at: patience with servers, a pace, and an end to silence. */

import { fallbackOn } from '../core/errors.ts'
import type { NextStep } from '../core/next-step.ts'
import { patient } from '../core/patience.ts'
import { poll } from '../core/poll.ts'
import { longestTimerMs } from '../core/time.ts'
import type { ScopedOperation } from '../model/operation.ts'
import type { Service } from '../openstack/service.ts'
import type { MagnumContext } from './magnum-context.ts'

/** How long an accepted change may leave no trace before we say that nothing comes of it. */
export const silenceMs = 45_000

export const conductorHint = 'its conductor refused; an operator finds the reason in the log of magnum-conductor'

/** The user stopped the run: we stop looking, Magnum does not stop working. */
export function noteStopped(op: ScopedOperation, what: string, look: NextStep): void {
  if (op.signal.aborted) op.report.note(`no longer looking at ${what}; what was begun goes on`, [look])
}

/** Why to run a command that looks at what goes on without us. */
export const checkAgain = 'to look again, run'

export const gone = fallbackOn('notFound', 'gone' as const)

interface Changing {
  status?: string | null
  updated_at?: string | null
}

/** Has the change left a trace? */
export const differs = (now: Changing, before: Changing | undefined): boolean =>
  now.status !== before?.status || now.updated_at !== before?.updated_at

export interface Probe<T> {
  look(service: Service): Promise<T | undefined>
  /** What it saw last, for whoever gives up. */
  seen(): string | undefined
}

export function waitUntil<T>(context: MagnumContext, probe: Probe<T>, op: ScopedOperation, what: string): Promise<T> {
  const { clock, session } = context
  // a server that says nothing at the end of the wait would hold the last look for as long as a request may take
  const late = AbortSignal.timeout(Math.min(op.waitTimeoutMs, longestTimerMs))
  const signal = AbortSignal.any([op.signal, late])
  const look = async () => {
    try {
      return await probe.look(await session.magnum(signal))
    } catch (error) {
      if (late.aborted && !op.signal.aborted) return undefined
      throw error
    }
  }
  return poll(patient(look, { clock, onTrouble: e => op.report.note(e.message) }), {
    clock,
    timeoutMs: op.waitTimeoutMs,
    signal: op.signal,
    intervalMs: 500,
    maxIntervalMs: 5_000,
    what,
    lastSeen: probe.seen,
  })
}
