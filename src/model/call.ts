/** One call of a Backend: what ends it, who makes it, and what shows its progress. The first argument of each method. */
import type { NextStep } from '../core/next-step.ts'

export interface Call {
  /** Ends the call, and all that was begun for it. */
  readonly signal: AbortSignal
  readonly caller: Caller
  readonly report: Report
}

export interface Caller {
  /** Where a change comes from, for its history: the name of the machine that the user works on. */
  readonly name: string
  /** Can credential plugins ask the caller something? Only at a terminal. */
  readonly interactive: boolean
}

/** Receives the progress of the work. For commands, io/progress.ts shows it. */
export interface Report {
  /** A part of the work began or its state changed; `trouble`: the text says why something does not come about. */
  step(id: string, text: string, trouble?: boolean): void
  done(id: string, text?: string): void
  fail(id: string, text?: string): void
  /** Something worth a line that is no step. */
  note(text: string, next?: readonly NextStep[]): void
}

/** For calls whose progress nobody sees. */
export const silentReport: Report = { step() {}, done() {}, fail() {}, note() {} }

/** The memory of one call: made when it is first needed, and dropped with the call. */
export function perCall<T>(make: (call: Call) => T): (call: Call) => T {
  const made = new WeakMap<Call, { value: T }>()
  return call => {
    const found = made.get(call) ?? { value: make(call) }
    made.set(call, found)
    return found.value
  }
}
