/** A federation whose namespace is being deleted, and stays until the finalizers in it are removed. */
import { type CoeError, conflict } from '../../core/errors.ts'
import { flagArg, optionArgs, standaloneStep } from '../../core/next-step.ts'
import type { KubeObject } from '../../kube/api/object.ts'
import { heldBy } from '../../kube/waiting/wait.ts'
import type { FederationRecord } from '../records/record.ts'

export interface Ending {
  since: string
  /** What keeps it, in the server's words. */
  held: string
}

/** Reads it from the namespace or the record. */
export function endingOf(object: KubeObject): Ending | undefined {
  const since = object.metadata.deletionTimestamp
  return since === undefined ? undefined : { since, held: heldBy(object) }
}

export const endingText = (namespace: string, { since, held }: Ending): string =>
  `namespace ${namespace} has been terminating since ${since}: ${held}`

/** Refuses every other command: such a federation can only be waited for. */
export function refuseEnding(record: FederationRecord, reference: string): void {
  if (record.ending) throw beingDeleted(record, record.ending, reference)
}

export const beingDeleted = (
  { name, namespace }: Pick<FederationRecord, 'name' | 'namespace'>,
  ending: Ending,
  reference: string,
): CoeError =>
  conflict(`federation "${name}" is being deleted: ${endingText(namespace, ending)}`, {
    hint: 'the controller that set the finalizer must remove it',
    next: [
      standaloneStep(
        'this waits until it is gone',
        'federation delete',
        name,
        ...optionArgs('host', reference),
        ...flagArg('yes'),
      ),
    ],
  })
