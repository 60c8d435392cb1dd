/** Ctrl-C, pressed the moment the program first sleeps: no test waits for a moment that may have passed. */
import { setImmediate } from 'node:timers/promises'
import type { SandboxClock } from '../../src/sandbox/clock.ts'
import type { RunOptions } from './run.ts'

interface Clocked {
  sandbox: { clock: SandboxClock }
}

/** @param sleeps how many sleeps it is left to run before. */
export function pressCtrlC(cloud: Clocked, sleeps = 0): RunOptions {
  const { clock } = cloud.sandbox
  const controller = new AbortController()
  let left = sleeps
  return {
    interrupt: controller.signal,
    clock: {
      now: () => clock.now(),
      async sleep(ms, signal) {
        // signs of life are no part of what is counted
        if (ms < 30_000) {
          if (left-- <= 0) controller.abort()
          else clock.advance(ms)
        }
        await setImmediate()
        signal?.throwIfAborted()
      },
    },
  }
}

/** For a command that looks every `intervalMs`: what happens between its looks, one after the other; then Ctrl-C. */
export function betweenLooks(
  { sandbox: { clock } }: Clocked,
  intervalMs: number,
  happenings: readonly (() => unknown)[],
): RunOptions {
  const controller = new AbortController()
  const left = [...happenings]
  return {
    interrupt: controller.signal,
    clock: {
      now: () => clock.now(),
      async sleep(ms, signal) {
        if (ms === intervalMs) {
          const happening = left.shift()
          if (happening) await happening()
          else controller.abort()
        }
        if (ms < 30_000) clock.advance(ms)
        await setImmediate()
        signal?.throwIfAborted()
      },
    },
  }
}
