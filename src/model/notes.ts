/** Facts about a change that the user needs besides its result; cli/print/notes.ts words them. */
import type { NextStep } from '../core/next-step.ts'
import type { MemberHoldings } from './backend.ts'
import type { PlanView } from './planned-change.ts'

/** A dry run: the plan, and changes that are not steps of it. */
export interface PlanNote {
  kind: 'plan'
  view: PlanView
  also?: readonly string[]
}

export type FederationNote =
  | PlanNote
  /** The federation is complete. */
  | {
      kind: 'complete'
      result: 'created' | 'updated' | 'unchanged'
      name: string
      uuid: string
      host: string
      server: string
    }
  /** How to use it. */
  | { kind: 'use'; next: readonly NextStep[] }
  /** coe did not wait until it is complete. */
  | {
      kind: 'incomplete'
      name: string
      host: string
      pending: readonly string[]
      notStarted: readonly string[]
      next: readonly NextStep[]
    }
  | { kind: 'updated'; name: string }
  /** A file on another machine still has its context. */
  | { kind: 'context-elsewhere'; name: string; file: string; machine: string }
  /** Its context could not be removed from a file. */
  | { kind: 'context-left'; file: string; reason: string }
  | { kind: 'data-kept'; host: string; namespace: string; next: readonly NextStep[] }

export type MemberNote =
  | PlanNote
  | { kind: 'holdings'; holdings: MemberHoldings; deleted: boolean }
  /** The kubeconfig has no context for cleaning up by hand. */
  | { kind: 'no-context'; reference: string }
  /** A context must be made first. */
  | { kind: 'context-needed'; cluster: string; next: readonly NextStep[] }
  | { kind: 'left-behind'; member: string; what: string; next: readonly NextStep[] }
