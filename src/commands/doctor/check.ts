/** The result of one check, and functions to make it. */

import { setMaxListeners } from 'node:events'
import { CoeError } from '../../core/errors.ts'
import type { NextStep } from '../../core/next-step.ts'
import { formatDuration } from '../../core/time.ts'

export interface Check {
  check: string
  status: 'ok' | 'warn' | 'fail' | 'skip'
  detail: string
  /** What to do about it. */
  remedy: string | null
  next?: readonly NextStep[]
}

export const ok = (check: string, detail: string): Check => ({ check, status: 'ok', detail, remedy: null })
export const skip = (check: string, detail: string): Check => ({ check, status: 'skip', detail, remedy: null })
export const warn = (check: string, detail: string, remedy: string | null, next?: readonly NextStep[]): Check => ({
  check,
  status: 'warn',
  detail,
  remedy,
  ...(next ? { next } : {}),
})
export const fail = (check: string, detail: string, remedy: string | null, next?: readonly NextStep[]): Check => ({
  check,
  status: 'fail',
  detail,
  remedy,
  ...(next ? { next } : {}),
})

/** Turns an error into a failed check, with its hint as the remedy. */
export function failure(check: string, error: unknown, remedy: string | null = null): Check {
  if (error instanceof CoeError) {
    const { message, hint, next } = error
    return fail(check, message, hint ?? (next.length ? null : remedy), next)
  }
  return fail(check, `this is a bug in coe: ${String(error)}`, 'please report it')
}

/** Turns an error of one check into its result, so that the other checks continue. */
export async function checked(check: string, work: () => Promise<Check>): Promise<Check> {
  return work().catch((error: unknown) => failure(check, error))
}

/** Limits the time of `work`, even if the server is silent. Uses real time, also in tests. */
export async function within<T>(ms: number, outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = AbortSignal.timeout(ms)
  const signal = AbortSignal.any([outer, limit])
  setMaxListeners(0, signal) // each request listens to it
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(outer.aborted ? outer.reason : new CoeError('failed', `no answer within ${formatDuration(ms)}`))
    })
  })
  late.catch(() => {})
  return Promise.race([work(signal), late])
}
