/** A command and its inverse, while servers fail at one request after the other, in several parallel sandboxes. */
import { expect } from 'vitest'
import type { Effect, FaultOrder } from '../../../src/sandbox/faults.ts'
import type { Lane } from './lane.ts'
import { everything, wholeProduct } from './matrix.ts'
import type { State } from './state.ts'

const refusal = (code: number, reason: string, headers = {}): Effect => ({
  kind: 'answer',
  status: code,
  headers,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code, message: `ordered: ${reason}` },
})

const faults: Record<string, Effect> = {
  '409': refusal(409, 'Conflict'),
  '429': refusal(429, 'TooManyRequests', { 'Retry-After': '0' }),
  '500': refusal(500, 'InternalError'),
  '503': refusal(503, 'ServiceUnavailable', { 'Retry-After': '0' }),
  'reset before': { kind: 'reset-before' },
  'reset after': { kind: 'reset-after' },
  'silence before': { kind: 'silence-before' },
  'silence after': { kind: 'silence-after' },
  'cut off': { kind: 'truncate', bytes: 20 },
  'a web page': { kind: 'garbage' },
}
const kinds = Object.keys(faults)

const agent = /^coe\//
const watches = /[?&]watch=true/
/** The limit for a silent server; other answers are faster, even on a busy machine. */
const patience = '1s'
/** The limit of a run, with all its retries. */
const longestMs = 90_000
const side = 4

export interface FaultMatrix {
  forth: string
  back: string
  /** Clusters in the state before the command, and after its inverse. */
  lane(): Promise<Lane>
  /** The number of kinds of fault per request when all cells are tried. */
  each: number
  /** Otherwise one of this many requests is tried. */
  unlessAll: number
}

interface Cell {
  nth: number
  fault: string
  /** Counts only watch requests. */
  watch?: true
}
interface Costs {
  requests: number
  watches: number
}

export async function failEverywhere(matrix: FaultMatrix): Promise<void> {
  const { forth, back, lane: make } = matrix
  const lanes = await Promise.all(Array.from({ length: side }, make))
  const [first] = lanes as [Lane]
  const before = await first.state()
  const costs = { forth: await costOf(first, forth), back: { requests: 0, watches: 0 } }
  const after = await first.state()
  costs.back = await costOf(first, back)
  await first.becomes(before, `${back}, undisturbed`)

  const queue = pairs(cells(costs.forth, matrix), cells(costs.back, matrix))
  const failures: string[] = []
  let missed = 0
  const total = queue.length * 2
  const work = async (given: Lane) => {
    let lane = given
    for (let pair = queue.shift(); pair; pair = queue.shift()) {
      const [one, other] = pair
      const problem = await suffer(lane, forth, one, after, () => missed++)
        .then(report => report ?? suffer(lane, back, other, before, () => missed++))
        .catch(
          (error: Error) =>
            `${describeCell(one)}, ${describeCell(other)}: ${error.message}\n${String(error.cause ?? '')}`,
        )
      if (!problem) continue
      failures.push(problem)
      await lane.close()
      lane = await make()
    }
    await lane.close()
  }
  await Promise.all(lanes.map(work))
  expect(failures).toEqual([])
  // a run that waits less sends fewer requests, which must stay the exception
  expect(missed / total).toBeLessThan(0.15)
}

async function costOf(lane: Lane, line: string): Promise<Costs> {
  const { log } = lane.lab.sandbox
  log.clear()
  await lane.run(line)
  const ours = log.all().filter(r => agent.test(r.agent))
  return { requests: ours.length, watches: ours.filter(r => watches.test(r.url)).length }
}

/** Each request with all faults, or with `each` of them in turn; in a short run, some requests with one fault. */
function cells({ requests, watches: cut }: Costs, { each: some, unlessAll }: FaultMatrix): Cell[] {
  const each = wholeProduct ? kinds.length : some
  const cuts: Cell[] = Array.from({ length: cut }, (_, i) => ({ nth: i + 1, fault: 'cut off', watch: true }))
  const stalls: Cell[] = cuts.map(cell => ({ ...cell, fault: 'silence before' }))
  const row = (nth: number, from: number, count: number): Cell[] =>
    Array.from({ length: count }, (_, i) => ({ nth, fault: kinds[(from + i) % kinds.length] as string }))
  const numbers = Array.from({ length: requests }, (_, i) => i + 1)
  if (everything) return [...numbers.flatMap(nth => row(nth, nth * each, each)), ...cuts, ...stalls]
  const few = numbers.filter(nth => nth % unlessAll === 1)
  return [...few.flatMap((nth, i) => row(nth, i, 1)), ...cuts.slice(0, 1)]
}

function pairs(forth: readonly Cell[], back: readonly Cell[]): [Cell, Cell][] {
  const all = Array.from({ length: Math.max(forth.length, back.length) }, (_, i) => i)
  return all.map(i => [forth[i % forth.length] as Cell, back[i % back.length] as Cell])
}

const describeCell = ({ nth, fault, watch }: Cell) => `${fault} at ${watch ? 'watch' : 'request'} ${nth}`

/** The run succeeds or says why not, without a stack, in bounded time; the next run reaches the same state. */
async function suffer(
  lane: Lane,
  line: string,
  cell: Cell,
  end: State,
  onMiss: () => void,
): Promise<string | undefined> {
  const { nth, fault, watch } = cell
  const order: FaultOrder = { agent, nth, effect: faults[fault] as Effect, ...(watch ? { path: watches } : {}) }
  const placed = lane.lab.sandbox.faults.order(order)
  const began = Date.now()
  const env = fault.startsWith('silence') ? { COE_REQUEST_TIMEOUT: patience } : {}
  const run = await lane.lab.run(line, { pid: 6000, env })
  const took = Date.now() - began
  if (placed.hits === 0) onMiss()
  placed.remove()
  const report = `${line}, ${describeCell(cell)}: ends with ${run.code} after ${took} ms, and says: ${run.err}`
  if (took > longestMs) return report
  if (run.code !== 0 && !/^coe: .{20}/m.test(run.err)) return report
  // a temporary refusal is neither a usage error nor a lack of rights
  if (run.code === 2 || run.code === 4) return report
  if (run.code !== 0 && !/^hint: /m.test(run.err)) return report
  if (/bug in coe|undefined|\[object|\bat .*\.[tj]s:\d/.test(run.err)) return report
  await lane.run(line)
  await lane.becomes(end, `"${line}" after ${describeCell(cell)}`)
  return undefined
}
