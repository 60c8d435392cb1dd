import { expect, it } from 'vitest'
import { systemClock } from '../../../src/core/time.ts'

it("a sleep can be longer than a timer's maximum: --wait-timeout 30d is a month", async () => {
  const stop = new AbortController()
  const slept = systemClock.sleep(30 * 86_400_000, stop.signal).then(() => 'over')
  const rung = systemClock.sleep(30).then(() => 'still asleep')
  expect(await Promise.race([slept.catch(() => 'stopped'), rung])).toBe('still asleep')
  stop.abort(new Error('woken'))
  await expect(slept).rejects.toThrow('woken')
})
