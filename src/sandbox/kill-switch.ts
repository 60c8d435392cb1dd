/** Kills a run of coe at one of its writes: no request of it arrives from then on, and all others do. */
import { systemClock } from '../core/time.ts'
import { createFaults, type Faults, type FaultTarget } from './faults.ts'
import { createLog, type LoggedRequest, type RequestLog } from './log.ts'

/** A write as it comes again in another run of the same command, in whatever order its requests are sent. */
export interface Write {
  what: string
  /** Which of those that look the same, counted from 1. */
  nth: number
}

/** Before: the server never sees it. After: it does its work, and nobody hears of it. */
export interface Death {
  at: Write
  when: 'before' | 'after'
}

export const deathsOf = (writes: readonly Write[]): Death[] =>
  writes.flatMap(at => (['before', 'after'] as const).map(when => ({ at, when })))

export const nameOf = ({ at, when }: Death): string => `${when} ${at.what}${at.nth > 1 ? ` (${at.nth})` : ''}`

export interface KillSwitch {
  log: RequestLog
  faults: Faults
  /** The writes of coe itself since the log was cleared. */
  writes(): Write[]
  /** For the next run. Runs are told apart by what they call themselves; the signal aborts when it is dead. */
  arm(death: Death): { died: Promise<'dead'>; signal: AbortSignal }
}

const isCoe = (agent: string) => agent.startsWith('coe/')
/** A lock is renewed after so many seconds: a run that is quicker than another never does. */
const byTheClock = ({ method, url }: LoggedRequest) => method === 'PUT' && url.includes('/leases/')
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const lookOf = ({ service, method, url }: Pick<FaultTarget, 'service' | 'method' | 'url'>): string =>
  `${service} ${method} ${url.replace(uuid, 'UUID').replace('?fieldManager=coe', '')}`

export function killSwitch(): KillSwitch {
  const log = createLog(systemClock)
  const faults = createFaults()
  const dead = new Set<string>()
  let armed: { death: Death; seen: number; strike(): void } | undefined
  let last: LoggedRequest | undefined
  const ends = new Map<LoggedRequest, () => void>()
  return {
    log: {
      ...log,
      start(entry) {
        last = log.start(entry)
        return last
      },
      end(entry, status) {
        log.end(entry, status)
        ends.get(entry)?.()
        ends.delete(entry)
      },
    },
    faults: {
      ...faults,
      hit(asked) {
        if (dead.has(asked.agent)) return [{ kind: 'reset-before' }]
        if (!armed || !isCoe(asked.agent)) return faults.hit(asked)
        const { death, strike } = armed
        if (lookOf(asked) !== death.at.what || ++armed.seen !== death.at.nth) return faults.hit(asked)
        dead.add(asked.agent)
        armed = undefined
        if (last) ends.set(last, strike) // only then has the server done what it does
        return [{ kind: death.when === 'before' ? 'reset-before' : 'reset-after' }]
      },
    },
    writes() {
      const counts = new Map<string, number>()
      const ours = log.writes().filter(write => isCoe(write.agent) && !byTheClock(write))
      return ours.map(write => {
        const what = lookOf(write)
        const nth = (counts.get(what) ?? 0) + 1
        counts.set(what, nth)
        return { what, nth }
      })
    },
    arm(death) {
      const controller = new AbortController()
      const died = new Promise<'dead'>(resolve => {
        const strike = () => {
          resolve('dead')
          controller.abort()
        }
        armed = { death, seen: 0, strike }
      })
      return { died, signal: controller.signal }
    },
  }
}
