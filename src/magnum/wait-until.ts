/** What all waits on Magnum share: tolerance of server errors, intervals, and a limit for changes that have no effect. */

import { fallbackOn } from '../core/errors.ts'
import type { NextStep } from '../core/next-step.ts'
import { patient } from '../core/patience.ts'
import { poll } from '../core/poll.ts'
import { longestTimerMs } from '../core/time.ts'
import type { ScopedOperation } from '../model/operation.ts'
import type { Service } from '../openstack/service.ts'
import type { MagnumContext } from './magnum-context.ts'

/** How long an accepted change may have no visible effect before the wait fails. */
export const noEffectMs = 45_000

export const conductorHint =
  'its conductor refused the change; an operator can find the reason in the log of magnum-conductor'

/** For a run that the user interrupts: coe stops waiting, and Magnum goes on with the change. */
export function noteStopped(op: ScopedOperation, what: string, check: NextStep): void {
  if (op.signal.aborted) op.report.note(`stopped waiting for ${what}; Magnum continues the change`, [check])
}

/** Why to run the next step: to check a change that continues without coe. */
export const checkAgain = 'to check again, run'

export const gone = fallbackOn('notFound', 'gone' as const)

interface Changeable {
  status?: string | null
  updated_at?: string | null
}

/** True once a change shows in the object. */
export const differs = (now: Changeable, before: Changeable | undefined): boolean =>
  now.status !== before?.status || now.updated_at !== before?.updated_at

export interface Probe<T> {
  /** Undefined: not there yet. */
  check(service: Service): Promise<T | undefined>
  /** The last known state, for the error of a wait that times out. */
  lastState(): string | undefined
}

export function waitUntil<T>(context: MagnumContext, probe: Probe<T>, op: ScopedOperation, what: string): Promise<T> {
  const { clock, session } = context
  // without this signal, a server that does not answer could hold the last check beyond the end of the wait
  const late = AbortSignal.timeout(Math.min(op.waitTimeoutMs, longestTimerMs))
  const signal = AbortSignal.any([op.signal, late])
  const check = async () => {
    try {
      return await probe.check(await session.magnum(signal))
    } catch (error) {
      if (late.aborted && !op.signal.aborted) return undefined
      throw error
    }
  }
  return poll(patient(check, { clock, onTrouble: e => op.report.note(e.message) }), {
    clock,
    timeoutMs: op.waitTimeoutMs,
    signal: op.signal,
    intervalMs: 500,
    maxIntervalMs: 5_000,
    what,
    lastSeen: probe.lastState,
  })
}
