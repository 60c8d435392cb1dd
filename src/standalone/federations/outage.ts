/** A host that is away for a while ends no change: its lock is confirmed when it answers again, and the work is resumed. */
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
  /** When the time of the operation is up. */
  until: number
  clock: Clock
  /** Rejects where somebody else has worked on the federation meanwhile. */
  check(): Promise<void>
}

/** A host that is away for longer is not expected back. */
const longestMs = 300_000
/** So often it may be back before anybody notices that it was away. */
const mostBlinks = 3

/** @param work is done again after each outage; with `cutOff`, its result holds only where the host was not away */
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

/** Where it does not come back in time, what failed first tells more. */
async function back({ lock, until, clock }: Outages, error: unknown): Promise<{ waited: boolean }> {
  const confirmed = await resultOf(lock.confirm(Math.max(0, Math.min(longestMs, until - clock.now()))))
  if (confirmed.ok) return confirmed.value
  const taken = hasOutcome(confirmed.error, 'conflict') && !hasOutcome(error, 'conflict')
  throw error === undefined || taken ? confirmed.error : error
}

/** Could its API server not be reached, or broke the connection off? */
export function isFromHost(error: unknown, host: ClusterApi): boolean {
  if (!(error instanceof CoeError) || !isTransient(error) || error.details.code === undefined) return false
  return String(error.details.url).startsWith(host.server.replace(/\/+$/, ''))
}
