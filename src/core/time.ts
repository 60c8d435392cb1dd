import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from './world.ts'

/** The longest delay of Node's timers; a longer one (over 25 days) would fire at once. */
export const longestTimerMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      let left = ms
      for (; left > longestTimerMs; left -= longestTimerMs) await delay(longestTimerMs, undefined, { signal })
      await delay(left, undefined, { signal })
    } catch (error) {
      // delay() rejects with a bare AbortError; the signal's reason says why
      throw signal?.aborted ? signal.reason : error
    }
  },
}

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const durationPattern = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$|^\d+$/

/** `90` (seconds), `90s`, `1h30m` → milliseconds; undefined for other text. */
export function parseDuration(text: string): number | undefined {
  if (!durationPattern.test(text)) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * units[unit as keyof typeof units]
  }
  return total
}

/** A short duration: `2.5s`, `45s`, `12m`, `3h20m`, `4d`. */
export function formatDuration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')}s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 ? `${minutes}m${seconds % 60}s` : `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 ? `${hours}h${minutes % 60}m` : `${hours}h`
  return `${Math.floor(hours / 24)}d`
}
