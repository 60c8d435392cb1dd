/** What the user should know besides the result of a change, as facts: cli/print/notes.ts words them. */
import type { NextStep } from '../core/next-step.ts'
import type { MemberHoldings } from './backend.ts'
import type { PlanView } from './planned-change.ts'

/** A dry run: the plan, and what would change that is no step of it. */
export interface PlanNote {
  kind: 'plan'
  view: PlanView
  also?: readonly string[]
}

export type FederationNote =
  | PlanNote
  /** It stands. */
  | {
      kind: 'stands'
      result: 'created' | 'updated' | 'unchanged'
      name: string
      uuid: string
      host: string
      server: string
    }
  /** How it is used. */
  | { kind: 'use'; next: readonly NextStep[] }
  /** It was not waited for. */
  | {
      kind: 'begun'
      name: string
      host: string
      pending: readonly string[]
      notStarted: readonly string[]
      next: readonly NextStep[]
    }
  | { kind: 'updated'; name: string }
  /** A context that led to it is in a file of another machine. */
  | { kind: 'context-elsewhere'; name: string; file: string; machine: string }
  /** A context that led to it could not be taken out of a file. */
  | { kind: 'context-left'; file: string; reason: string }
  | { kind: 'data-kept'; host: string; namespace: string; next: readonly NextStep[] }

export type MemberNote =
  | PlanNote
  | { kind: 'holdings'; holdings: MemberHoldings; deleted: boolean }
  /** There is no context for what is to be cleaned up by hand. */
  | { kind: 'no-context'; reference: string }
  /** One can be made. */
  | { kind: 'context-needed'; cluster: string; next: readonly NextStep[] }
  | { kind: 'left-behind'; member: string; what: string; next: readonly NextStep[] }
