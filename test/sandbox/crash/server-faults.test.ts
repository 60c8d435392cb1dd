/** Servers that fail at one request of a join after the other: it joins nevertheless or says why not, and the next run joins. */
import { expect, it } from 'vitest'
import type { Effect } from '../../../src/sandbox/faults.ts'
import { type Lane, startLane } from './lane.ts'
import { everything } from './matrix.ts'
import type { State } from './state.ts'

const refusal = (code: number, reason: string, headers = {}): Effect => ({
  kind: 'answer',
  status: code,
  headers,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code, message: `ordered: ${reason}` },
})

const faults: Record<string, Effect> = {
  409: refusal(409, 'Conflict'),
  429: refusal(429, 'TooManyRequests', { 'Retry-After': '0' }),
  500: refusal(500, 'InternalError'),
  503: refusal(503, 'ServiceUnavailable', { 'Retry-After': '0' }),
  'reset before': { kind: 'reset-before' },
  'reset after': { kind: 'reset-after' },
  'cut off': { kind: 'truncate', bytes: 20 },
  'a web page': { kind: 'garbage' },
}

const join = 'federation join myfed c2'
const unjoin = 'federation unjoin myfed c2'
const isCoe = /^coe\//

interface Cell {
  nth: number
  fault: string
}

it('joins or says why not, whatever request fails, and joins the next time', {
  timeout: everything ? 900_000 : 60_000,
}, async () => {
  const lanes = await Promise.all(Array.from({ length: 4 }, start))
  const [first] = lanes as [Lane]
  const before = await first.state()
  first.lab.sandbox.log.clear()
  await first.run(join)
  const requests = first.lab.sandbox.log.all().filter(r => isCoe.test(r.agent)).length
  const joined = await first.state()
  await first.run(unjoin)
  await first.becomes(before, unjoin)
  const queue = cells(requests)
  const failures: string[] = []
  const work = async (lane: Lane) => {
    for (let cell = queue.shift(); cell; cell = queue.shift()) {
      const problem = await suffer(lane, cell, before, joined).catch((error: Error) => error.message)
      if (problem) failures.push(`${cell.fault} at request ${cell.nth}: ${problem}`)
    }
    await lane.close()
  }
  await Promise.all(lanes.map(work))
  expect(failures).toEqual([])
})

async function start(): Promise<Lane> {
  const lane = await startLane({ members: 1 })
  await lane.run('federation create myfed --host host --expose nodeport')
  return lane
}

/** Every fourth request, with one fault after the other in turn; all with all where there is time (COE_MATRIX=all). */
function cells(requests: number): Cell[] {
  const names = Object.keys(faults)
  const all = Array.from({ length: requests }, (_, i) => names.map(fault => ({ nth: i + 1, fault })))
  return everything
    ? all.flat()
    : all.flatMap((row, i) => (i % 4 === 0 ? row[(i / 4) % names.length] : undefined) ?? [])
}

async function suffer(lane: Lane, { nth, fault }: Cell, before: State, joined: State): Promise<string | undefined> {
  const { faults: placed } = lane.lab.sandbox
  placed.order({ agent: isCoe, nth, effect: faults[fault] as Effect })
  const run = await lane.lab.run(join, { pid: 6000 })
  placed.clear()
  if (run.code !== 0 && !/^coe: .{20}/m.test(run.err)) return `ends with ${run.code}, and says no more than: ${run.err}`
  if (/bug in coe|undefined|\[object/.test(run.err)) return `says: ${run.err}`
  await lane.run(join)
  await lane.becomes(joined, `the join after ${fault} at request ${nth}`)
  await lane.run(unjoin)
  await lane.becomes(before, `the unjoin after ${fault} at request ${nth}`)
  return undefined
}
