/** What it takes to finish an unfinished change of a federation, and what came of it. */
import type { FederationOutcome, MemberOutcome } from './backend.ts'
import type { UnfinishedChange } from './federation.ts'

export interface ResumeOptions {
  /** What members are called here, by their names in the federation. */
  contexts?: Readonly<Record<string, string>> | undefined
  /** As of a creation. */
  contextName?: string | undefined
  kubeconfigOut?: string | undefined
  /** Options of the engine that no record keeps. */
  options?: Readonly<Record<string, unknown>> | undefined
  /** Unfinished changes that delete something, and that the user agreed to. */
  confirmed?: readonly UnfinishedChange['verb'][]
}

/** One change that was finished, or of which something is still left. */
export type ResumedChange =
  | { verb: 'create' | 'update' | 'delete'; outcome: FederationOutcome }
  | { verb: 'join' | 'unjoin'; outcomes: MemberOutcome[] }
