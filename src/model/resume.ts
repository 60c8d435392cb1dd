/** The request to finish unfinished changes of a federation, and its results. */
import type { FederationOutcome, MemberOutcome } from './backend.ts'
import type { UnfinishedChange } from './federation.ts'

export interface ResumeOptions {
  /** Present contexts of members, by their names in the federation. */
  contexts?: Readonly<Record<string, string>> | undefined
  /** As for `federation create`. */
  contextName?: string | undefined
  kubeconfigOut?: string | undefined
  /** Options of the engine that the record does not keep. */
  options?: Readonly<Record<string, unknown>> | undefined
  /** Unfinished deletions that the user has confirmed. */
  confirmed?: readonly UnfinishedChange['verb'][]
}

/** One change, finished or still incomplete. */
export type ResumedChange =
  | { verb: 'create' | 'update' | 'delete'; outcome: FederationOutcome }
  | { verb: 'join' | 'unjoin'; outcomes: MemberOutcome[] }
