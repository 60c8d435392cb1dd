/** Ctrl-C, pressed the moment the program first sleeps: no test waits for a moment that may have passed. */
import { setImmediate } from 'node:timers/promises'
import type { TestCloud } from './cloud.ts'
import type { RunOptions } from './run.ts'

/** @param sleeps how many sleeps it is left to run before. */
export function pressCtrlC(cloud: TestCloud, sleeps = 0): RunOptions {
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
