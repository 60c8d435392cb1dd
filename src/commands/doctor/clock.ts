/** Compares the clock with the servers', because the validity of tokens and certificates depends on it. */
import { type Check, fail, ok, skip, warn } from './check.ts'

const remedy = 'set the clock of this machine (timedatectl set-ntp true), or tell the operator'

export interface Dated {
  headers: Readonly<Record<string, string | undefined>>
}

/** @param now when the answers were read */
export function checkClock(responses: readonly (Dated | undefined)[], now: number): Check {
  const skews = responses
    .map(r => Date.parse(r?.headers.date ?? ''))
    .filter(Number.isFinite)
    .map(at => Math.round((at - now) / 1000))
  if (skews.length === 0) return skip('clock', 'no server sent its time')
  const worst = skews.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a))
  const size = Math.abs(worst)
  if (size <= 30) return ok('clock', `agrees with the servers' to ${size} s`)
  const detail = `the clock of this machine is ${size} s ${worst > 0 ? 'behind' : 'ahead of'} the server's`
  return size < 300 ? warn('clock', detail, remedy) : fail('clock', detail, remedy)
}
