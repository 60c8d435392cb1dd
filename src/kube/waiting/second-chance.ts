/**
 * What is hopeless as it stands may have been mended since: by this run, which has just written it, or by somebody who then
 * ran this again. It is given the time to show.
 */
import type { ClusterApi } from '../api/cluster-api.ts'
import { type ObjectRef, refKey } from '../api/object.ts'
import type { Trouble } from './pod-trouble.ts'
import type { Waiting, WaitOptions } from './wait.ts'

/** After a controller was made to look again, so much is enough to be refused again. */
const anewMs = 5_000

/** Also fills in what a workload cannot start without. */
export function secondChances(
  api: ClusterApi,
  options: WaitOptions,
): (waiting: Waiting, trouble: Trouble) => Promise<boolean> {
  const { clock, signal, made, awaits } = options
  /** Of pods that were found crashing: how often by then. */
  const crashed = new Map<string, number>()
  const refused = new Map<string, number>()

  async function mayStillStart(waiting: Waiting, { uid, times }: NonNullable<Trouble['crashes']>): Promise<boolean> {
    const before = waiting.missing
    // asked in vain, it is no excuse
    waiting.missing = await awaits?.missing(signal).catch(() => undefined)
    if (waiting.missing !== undefined || before !== undefined || !crashed.has(uid)) crashed.set(uid, times)
    if (before !== undefined && waiting.missing === undefined) await awaits?.arrived?.(signal).catch(() => {})
    return times === crashed.get(uid)
  }

  /** Controllers that were refused often try again only minutes later; one whose object was touched does so at once. */
  async function mayBeAdmitted({ ref }: Waiting): Promise<boolean> {
    const key = refKey(ref)
    if (made?.has(key)) return false
    const since = refused.get(key)
    if (since !== undefined) return clock.now() - since < anewMs
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

/** Without the right to, what its controller says next is waited for. */
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
