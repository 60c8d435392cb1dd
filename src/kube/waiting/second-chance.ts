/**
 * Decides whether to wait on although a workload looks hopeless. Its last failures may be older than a repair, by this run or by
 * the user before this run, so it gets the time to recover.
 */
import type { ClusterApi } from '../api/cluster-api.ts'
import { type ObjectRef, refKey } from '../api/object.ts'
import type { Trouble } from './pod-trouble.ts'
import type { Waiting, WaitOptions } from './wait.ts'

/** Once its object was touched, a controller tries again and gets the next refusal within this time. */
const nextRefusalMs = 5_000

/** The returned function also sets `waiting.missing`. */
export function secondChances(
  api: ClusterApi,
  options: WaitOptions,
): (waiting: Waiting, trouble: Trouble) => Promise<boolean> {
  const { clock, signal, made, awaits } = options
  /** The restart counts of crashing pods, by uid, when they were first found or last excused. */
  const crashed = new Map<string, number>()
  const refused = new Map<string, number>()

  async function mayStillStart(waiting: Waiting, { uid, times }: NonNullable<Trouble['crashes']>): Promise<boolean> {
    const before = waiting.missing
    // if the check itself fails, the crashes count
    waiting.missing = await awaits?.missing(signal).catch(() => undefined)
    if (waiting.missing !== undefined || before !== undefined || !crashed.has(uid)) crashed.set(uid, times)
    if (before !== undefined && waiting.missing === undefined) await awaits?.arrived?.(signal).catch(() => {})
    return times === crashed.get(uid)
  }

  /** After repeated refusals a controller waits minutes before it tries again; touching its object makes it try at once. */
  async function mayBeAdmitted({ ref }: Waiting): Promise<boolean> {
    const key = refKey(ref)
    if (made?.has(key)) return false
    const since = refused.get(key)
    if (since !== undefined) return clock.now() - since < nextRefusalMs
    refused.set(key, (await touch(api, ref, clock.now(), signal)) ? clock.now() : Number.POSITIVE_INFINITY)
    return true
  }

  return async (waiting, trouble) => {
    if (trouble.refused) return mayBeAdmitted(waiting)
    refused.delete(refKey(waiting.ref))
    if (!trouble.crashes) return false
    if (await options.mend?.(trouble.text)) {
      crashed.clear()
      return true
    }
    return mayStillStart(waiting, trouble.crashes)
  }
}

/** Returns false if the user may not patch the object: then the wait is for the controller's own next try. */
async function touch(api: ClusterApi, ref: ObjectRef, now: number, signal: AbortSignal): Promise<boolean> {
  const annotations = { 'coe/looked-again': new Date(now).toISOString() }
  try {
    await api.patch(ref, { metadata: { annotations } }, { type: 'merge', signal })
    return true
  } catch {
    signal.throwIfAborted()
    return false
  }
}
