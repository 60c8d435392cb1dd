import type { HeaderList } from './http.ts'

/**
 * The kinds of faults. "Before": the service never gets the request. "After": it does its work, but the client never
 * learns.
 */
export type Effect =
  | { kind: 'answer'; status: number; body?: string | object; headers?: HeaderList }
  | { kind: 'delay'; ms: number }
  /** Waits for the promise, however long that takes on a busy machine. */
  | { kind: 'hold'; until: Promise<unknown> }
  | { kind: 'reset-before' }
  | { kind: 'reset-after' }
  /** The connection stays open without an answer, for as long as the client waits. */
  | { kind: 'silence-before' }
  | { kind: 'silence-after' }
  /** The right headers and `bytes` of the body, then the connection closes. */
  | { kind: 'truncate'; bytes: number }
  /** The right headers and `bytes` of the body, then nothing (or a byte every `dripMs`) for as long as the client waits. */
  | { kind: 'stall'; bytes: number; dripMs?: number }
  | { kind: 'redirect'; to: string; status?: 301 | 302 | 303 | 307 | 308 }
  /** 200 and the web page of a proxy, or `bytes`. */
  | { kind: 'garbage'; bytes?: string; contentType?: string }
  /** From now on this listener accepts connections and sends nothing, or (`refuse`) refuses connections. */
  | { kind: 'dead'; refuse?: boolean }

export interface FaultOrder {
  /** Name of the listener; any if absent. */
  service?: string | undefined
  method?: string | RegExp | undefined
  /** Must match path and query. */
  path?: RegExp | undefined
  /** Must match the User-Agent: for faults that only one program meets. */
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
  /** The effects on this request, in the order in which they were added. */
  hit(request: FaultTarget): Effect[]
}

export interface FaultTarget {
  service: string
  method: string
  url: string
  agent: string
}

export function createFaults(): Faults {
  let placed: { order: FaultOrder; matched: number; hits: number }[] = []
  return {
    order(order) {
      const entry = { order, matched: 0, hits: 0 }
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
        entry.matched++
        if (entry.matched < (entry.order.nth ?? 1) || entry.hits >= (entry.order.times ?? 1)) continue
        entry.hits++
        effects.push(entry.order.effect)
      }
      return effects
    },
  }
}

function matches(order: FaultOrder, request: FaultTarget): boolean {
  if (order.service !== undefined && order.service !== request.service) return false
  if (typeof order.method === 'string' && order.method !== request.method) return false
  if (order.method instanceof RegExp && !order.method.test(request.method)) return false
  if (order.agent !== undefined && !order.agent.test(request.agent)) return false
  return order.path === undefined || order.path.test(request.url)
}
