/** The end of a deletion: removes the namespace with the record in it, and waits until it is gone. */
import { failed } from '../../core/errors.ts'
import { kubectlStep, optionArgs } from '../../core/next-step.ts'
import { marksRoleName, revokeMarksAccess } from '../../kube/ownership/marks-access.ts'
import { waitGone } from '../../kube/waiting/wait.ts'
import type { FederationNote } from '../../model/notes.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import type { Standalone } from '../deps.ts'
import { giveBack, noteAsked, wasAdopted } from '../records/ground.ts'
import { namespaceRef, uuidLabel } from '../records/names.ts'
import type { Located } from '../records/on-host.ts'
import { recordRef } from '../records/record.ts'
import type { Run } from './change.ts'

/** Removes namespace and record; with `keepData`, the namespace stays, marked with the federation it belonged to. */
export async function removeGround(
  deps: Standalone,
  located: Located,
  keepData: boolean,
  run: Run,
  saidMs: number,
): Promise<void> {
  const { record, host } = located
  const { signal } = run
  const { namespace, name, uuid } = record
  if (keepData) {
    // the record goes last: while it is there, a deletion that was killed can be run again
    await revokeMarksAccess(host, marksRoleName(namespace), signal)
    await noteAsked(host, { ...run.record(), intent: undefined }, signal)
    run.recordIsGone()
    await host.delete(recordRef(namespace), { signal })
    return
  }
  run.recordIsGone()
  const ref = namespaceRef(namespace)
  const live = await host.get(ref, { signal })
  if (!live) return
  if (live.metadata.labels?.[uuidLabel] !== uuid) {
    throw failed(`namespace ${namespace} is not marked as that of federation "${name}" any more, and stays`, {
      next: [kubectlStep('inspect', 'get all', optionArgs('n', namespace))],
    })
  }
  if (wasAdopted(live)) {
    // the record goes first: a later run still finds the namespace by its mark, which says that it is to be deleted
    await noteAsked(host, run.record(), signal)
    await host.delete(recordRef(namespace), { signal })
    await giveBack(host, namespace, uuid, signal)
    return
  }
  await revokeMarksAccess(host, marksRoleName(namespace), signal)
  run.lockGoesWithNamespace()
  await host.delete(ref, { signal, uid: live.metadata.uid })
  await untilGone(deps, located, run.op, signal, saidMs)
}

/** Whether an earlier run reached the last step. */
export async function isGoing({ host, record }: Located, signal: AbortSignal): Promise<boolean> {
  const live = await host.get(namespaceRef(record.namespace), { signal })
  return live?.metadata.deletionTimestamp !== undefined
}

export async function seenGone(
  deps: Standalone,
  located: Located,
  op: ScopedOperation,
  until: number,
): Promise<{ notes: FederationNote[] }> {
  const { record } = located
  const notes = await deps.local.entries.remove(record)
  const left = { ...op, waitTimeoutMs: Math.max(0, until - deps.world.clock.now()) }
  await untilGone(deps, located, left, op.signal, op.waitTimeoutMs)
  await deps.local.federations.forget(record.uuid)
  return { notes }
}

/** Longer than the removal of a namespace without finalizers takes. */
const longestMs = 180_000

async function untilGone(
  deps: Standalone,
  { host, record }: Located,
  op: ScopedOperation,
  signal: AbortSignal,
  saidMs: number,
): Promise<void> {
  const { namespace } = record
  op.report.step('namespace', `namespace ${namespace} and the record in it`)
  const tell = (text: string) => op.report.step('namespace', text)
  const timeoutMs = Math.min(longestMs, op.waitTimeoutMs)
  const wait = { clock: deps.world.clock, signal, tell, timeoutMs, userLimitMs: Math.min(longestMs, saidMs) }
  await waitGone(host, namespaceRef(namespace), wait)
  op.report.done('namespace')
}
