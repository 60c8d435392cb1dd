/** One call of a Backend: its signal, its caller, and the report of its progress. The first argument of each method. */
import type { NextStep } from '../core/next-step.ts'

export interface Call {
  /** Ends the call, and everything that was started for it. */
  readonly signal: AbortSignal
  readonly caller: Caller
  readonly report: Report
}

export interface Caller {
  /** The name of the user's machine, for the history of changes. */
  readonly name: string
  /** True if credential plugins can ask the user; only at a terminal. */
  readonly interactive: boolean
}

/** Receives the progress of the work. For commands, io/progress.ts shows it. */
export interface Report {
  /** A part of the work started or changed its state; `trouble`: the text says what holds it up. */
  step(id: string, text: string, trouble?: boolean): void
  done(id: string, text?: string): void
  fail(id: string, text?: string): void
  /** A line that belongs to no step. */
  note(text: string, next?: readonly NextStep[]): void
}

/** For calls whose progress is not shown. */
export const silentReport: Report = { step() {}, done() {}, fail() {}, note() {} }

/** A value for each call: made when it is first needed, and dropped with the call. */
export function perCall<T>(make: (call: Call) => T): (call: Call) => T {
  const made = new WeakMap<Call, { value: T }>()
  return call => {
    const found = made.get(call) ?? { value: make(call) }
    made.set(call, found)
    return found.value
  }
}
