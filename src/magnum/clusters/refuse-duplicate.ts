/**
 * Magnum accepts any number of objects of one name, and a check before the create does not stop two runs from creating at once. So
 * each run checks again after its create: lists are in order of creation, so all runs agree which object is the first. Each later
 * run fails, and names the command that deletes its object.
 */

import { conflict, fallbackOn } from '../../core/errors.ts'
import type { NextStep } from '../../core/next-step.ts'
import { poll } from '../../core/poll.ts'
import type { Clock } from '../../core/world.ts'

export interface NewObject {
  /** `cluster "c1"` */
  what: string
  /** The object that this run created. */
  uuid: string
  /** Objects that have the name now, in order of creation. */
  named(): Promise<readonly { uuid: string }[]>
  /** The command that deletes one of them. */
  remove(uuid: string): NextStep
  /** Called if other runs created later duplicates. */
  note?(text: string, next?: readonly NextStep[]): void
  /** For objects created in the background, which `named` returns only after a moment. */
  appears?: { clock: Clock; signal: AbortSignal }
}

/** How long Magnum's conductor may take to store what its API accepted. With --wait, coe watches the object longer anyway. */
const withinMs = 5_000

export async function refuseDuplicate({ what, uuid, named, remove, note, appears }: NewObject): Promise<void> {
  const list = async () => {
    // a failed check must not fail the create, which succeeded
    const all = await named().catch(() => [])
    return appears === undefined || all.some(one => one.uuid === uuid) ? all : undefined
  }
  const limits = appears && { ...appears, timeoutMs: withinMs, intervalMs: 100, maxIntervalMs: 1_000, what }
  const all = limits ? await poll(list, limits).catch(fallbackOn('timeout', [])) : ((await list()) ?? [])
  const first = all[0]?.uuid
  const others = all.filter(one => one.uuid !== uuid).map(one => one.uuid)
  if (others.length === 0 || first === undefined) return
  if (first === uuid) {
    note?.(`${what} was created ${all.length} times at once; the first is ${uuid}, from this run`, others.map(remove))
    return
  }
  throw conflict(
    `${what} was created ${all.length} times at once: the first is ${first}, and this run created ${uuid}`,
    {
      next: [remove(uuid)],
      details: { existing: all.map(one => one.uuid), created: uuid },
    },
  )
}
