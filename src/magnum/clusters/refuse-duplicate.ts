/**
 * Magnum takes any number of things of one name, and looking before a create cannot keep two runs from creating at once. So
 * each run looks again after its own create: lists come in the order in which things were made, so all runs agree which is the
 * first, and each later one fails and says which command deletes what it made.
 */

import { conflict, fallbackOn } from '../../core/errors.ts'
import type { NextStep } from '../../core/next-step.ts'
import { poll } from '../../core/poll.ts'
import type { Clock } from '../../core/world.ts'

export interface Made {
  /** `cluster "c1"` */
  what: string
  /** Of the one that this run made. */
  uuid: string
  /** Those that have the name now, in the order in which they were made. */
  named(): Promise<readonly { uuid: string }[]>
  /** Deletes one of them. */
  remove(uuid: string): NextStep
  /** Told when others came second. */
  note?(text: string, next?: readonly NextStep[]): void
  /** Made in the background: it may be a moment until it is among them. */
  appears?: { clock: Clock; signal: AbortSignal }
}

/** How long Magnum's conductor may take to write down what its API accepted; who waits looks on anyway. */
const withinMs = 5_000

export async function refuseDuplicate({ what, uuid, named, remove, note, appears }: Made): Promise<void> {
  const look = async () => {
    // what is there now is of use; a look that fails makes no create fail
    const all = await named().catch(() => [])
    return appears === undefined || all.some(one => one.uuid === uuid) ? all : undefined
  }
  const limits = appears && { ...appears, timeoutMs: withinMs, intervalMs: 100, maxIntervalMs: 1_000, what }
  const all = limits ? await poll(look, limits).catch(fallbackOn('timeout', [])) : ((await look()) ?? [])
  const first = all[0]?.uuid
  const others = all.filter(one => one.uuid !== uuid).map(one => one.uuid)
  if (others.length === 0 || first === undefined) return
  if (first === uuid) {
    note?.(
      `${what} was created ${all.length} times at once; the first is ${uuid}, which this run made`,
      others.map(remove),
    )
    return
  }
  throw conflict(`${what} was created ${all.length} times at once: the first is ${first}, and this run made ${uuid}`, {
    next: [remove(uuid)],
    details: { existing: all.map(one => one.uuid), created: uuid },
  })
}
