/** A federation on its way out: its namespace is being deleted, and stays until whoever holds something in it lets go. */
import { type CoeError, conflict } from '../../core/errors.ts'
import { flagArg, optionArgs, standaloneStep } from '../../core/next-step.ts'
import type { KubeObject } from '../../kube/api/object.ts'
import { heldBy } from '../../kube/waiting/wait.ts'
import type { FederationRecord } from '../records/record.ts'

export interface Ending {
  since: string
  /** What keeps it, in the words of the server. */
  held: string
}

/** Of its namespace, or of its record. */
export function endingOf(object: KubeObject): Ending | undefined {
  const since = object.metadata.deletionTimestamp
  return since === undefined ? undefined : { since, held: heldBy(object) }
}

export const endingText = (namespace: string, { since, held }: Ending): string =>
  `namespace ${namespace} has been terminating since ${since}: ${held}`

/** Nothing can be done with it but to wait. */
export function refuseEnding(record: FederationRecord, reference: string): void {
  if (record.ending) throw beingDeleted(record, record.ending, reference)
}

export const beingDeleted = (
  { name, namespace }: Pick<FederationRecord, 'name' | 'namespace'>,
  ending: Ending,
  reference: string,
): CoeError =>
  conflict(`federation "${name}" is being deleted: ${endingText(namespace, ending)}`, {
    hint: 'whoever put a finalizer there must take it away',
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
