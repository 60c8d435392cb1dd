import type { HeaderList } from './http.ts'

/** What goes wrong. "Before": the service never saw the request. "After": it did its work, and the client never learns. */
export type Effect =
  | { kind: 'answer'; status: number; body?: string | object; headers?: HeaderList }
  | { kind: 'delay'; ms: number }
  /** Waits until then, however long that is on a busy machine. */
  | { kind: 'hold'; until: Promise<unknown> }
  | { kind: 'reset-before' }
  | { kind: 'reset-after' }
  /** The connection stays, and no answer comes for as long as the client waits. */
  | { kind: 'silence-before' }
  | { kind: 'silence-after' }
  /** The right headers, `bytes` of the body, and the connection is gone. */
  | { kind: 'truncate'; bytes: number }
  /** The right headers, `bytes` of the body, then nothing (or a byte each `dripMs`), for as long as the client waits. */
  | { kind: 'stall'; bytes: number; dripMs?: number }
  | { kind: 'redirect'; to: string; status?: 301 | 302 | 303 | 307 | 308 }
  /** 200 and the page of some proxy; or, with `bytes`, those. */
  | { kind: 'garbage'; bytes?: string; contentType?: string }
  /** From now on this listener accepts connections and says nothing, or (`refuse`) is not there at all. */
  | { kind: 'dead'; refuse?: boolean }

export interface FaultOrder {
  /** Name of the listener; any when absent. */
  service?: string | undefined
  method?: string | RegExp | undefined
  /** Tested against path and query. */
  path?: RegExp | undefined
  /** Tested against what the client calls itself: what one program meets, and others do not. */
  agent?: RegExp | undefined
  /** The first matching request to hit, counted from 1. */
  nth?: number | undefined
  /** How many to hit from there on; `Infinity` for all. */
  times?: number | undefined
  effect: Effect
}

export interface PlacedFault {
  /** How many requests it has hit. */
  readonly hits: number
  remove(): void
}

export interface Faults {
  order(order: FaultOrder): PlacedFault
  clear(): void
  /** The effects that this request meets, in the order in which they were placed. */
  hit(request: Asked): Effect[]
}

export interface Asked {
  service: string
  method: string
  url: string
  agent: string
}

export function createFaults(): Faults {
  let placed: { order: FaultOrder; seen: number; hits: number }[] = []
  return {
    order(order) {
      const entry = { order, seen: 0, hits: 0 }
      placed.push(entry)
      return {
        get hits() {
          return entry.hits
        },
        remove() {
          placed = placed.filter(other => other !== entry)
        },
      }
    },
    clear() {
      placed = []
    },
    hit(request) {
      const effects: Effect[] = []
      for (const entry of placed) {
        if (!matches(entry.order, request)) continue
        entry.seen++
        if (entry.seen < (entry.order.nth ?? 1) || entry.hits >= (entry.order.times ?? 1)) continue
        entry.hits++
        effects.push(entry.order.effect)
      }
      return effects
    },
  }
}

function matches(order: FaultOrder, request: Asked): boolean {
  if (order.service !== undefined && order.service !== request.service) return false
  if (typeof order.method === 'string' && order.method !== request.method) return false
  if (order.method instanceof RegExp && !order.method.test(request.method)) return false
  if (order.agent !== undefined && !order.agent.test(request.agent)) return false
  return order.path === undefined || order.path.test(request.url)
}
