/** Carries a change through an outage of its host: once the host answers, the lock is confirmed and the work resumed. */
import { resultOf } from '../../core/concurrency.ts'
import { CoeError, hasOutcome } from '../../core/errors.ts'
import { isTransient } from '../../core/failed-request.ts'
import type { Clock } from '../../core/world.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import type { Lock } from '../../kube/ownership/lease.ts'
import type { ScopedOperation } from '../../model/operation.ts'

export interface Outages {
  lock: Lock
  host: ClusterApi
  op: ScopedOperation
  /** When the operation times out. */
  until: number
  clock: Clock
  /** Rejects if another run has changed the federation meanwhile. */
  check(): Promise<void>
}

/** A host that does not answer for longer is given up. */
const longestMs = 300_000
/** How often the host may answer again before the lock noticed the outage. */
const mostBlinks = 3

/** @param work is repeated after each outage; a result with `cutOff` counts only if there was no outage */
export async function throughOutages<R extends { value: unknown; cutOff?: unknown }>(
  outages: Outages,
  work: () => Promise<R>,
): Promise<R> {
  const { lock, op } = outages
  for (let blinks = 0; ; ) {
    const { signal } = lock
    const end = await resultOf(work())
    const error = end.ok ? end.value.cutOff : end.error
    const inDoubt = signal.aborted && !op.signal.aborted
    const resumes = (error !== undefined || inDoubt) && !op.signal.aborted && (inDoubt || isTransient(error))
    if (resumes) {
      const { waited } = await back(outages, error)
      if (inDoubt || waited || (isFromHost(error, outages.host) && blinks++ < mostBlinks)) {
        op.report.note('the host answers again; resuming')
        await outages.check()
        continue
      }
    }
    if (end.ok) return end.value
    throw end.error
  }
}

/** If the host does not come back in time, the first error is thrown, as it says more. */
async function back({ lock, until, clock }: Outages, error: unknown): Promise<{ waited: boolean }> {
  const confirmed = await resultOf(lock.confirm(Math.max(0, Math.min(longestMs, until - clock.now()))))
  if (confirmed.ok) return confirmed.value
  const taken = hasOutcome(confirmed.error, 'conflict') && !hasOutcome(error, 'conflict')
  throw error === undefined || taken ? confirmed.error : error
}

/** Whether the API server of the host could not be reached, or broke off the connection. */
export function isFromHost(error: unknown, host: ClusterApi): boolean {
  if (!(error instanceof CoeError) || !isTransient(error) || error.details.code === undefined) return false
  return String(error.details.url).startsWith(host.server.replace(/\/+$/, ''))
}
