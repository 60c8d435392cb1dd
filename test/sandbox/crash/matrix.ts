/** A command and its inverse, each killed at one write after the other, in several parallel sandboxes. */
import { expect } from 'vitest'
import { type Death, deathsOf, nameOf, type Write } from '../../support/kill-switch.ts'
import type { Lane } from './lane.ts'
import type { State } from './state.ts'

export interface Matrix {
  forth: string
  back: string
  /** Clusters in the state before the command, and after its inverse. */
  lane(): Promise<Lane>
  /** Finishes a command that was killed; runs it again when absent. */
  goOn?(lane: Lane, line: string): Promise<void>
  /** Selects the parts of the state that are compared; all when absent. */
  about?(key: string): boolean
  /** The cells that are tried when all take too long. */
  unlessAll(deaths: readonly Death[]): Death[]
}

type Cell = readonly [forth: Death, back: Death]

/** `COE_MATRIX=all` tries every death, and of the faults some at each request; so does `npm run test:e2e`. */
export const everything = ['all', 'product'].includes(process.env.COE_MATRIX ?? '') || process.env.COE_E2E === '1'

/** `COE_MATRIX=product` tries all faults at each request: a quarter of an hour. */
export const wholeProduct = process.env.COE_MATRIX === 'product'
const side = 4

export async function dieEverywhere({ forth, back, lane: make, unlessAll, goOn, about }: Matrix): Promise<void> {
  const first = await make()
  const before = await first.state()
  const undisturbed = {
    forth: await first.observed(forth),
    after: await first.state(),
    back: await first.observed(back),
  }
  await first.becomes(before, `${back}, undisturbed`)
  const deaths = { forth: deathsOf(undisturbed.forth), back: deathsOf(undisturbed.back) }
  const tried = everything ? deaths : { forth: unlessAll(deaths.forth), back: unlessAll(deaths.back) }
  const queue = pairs(tried.forth, tried.back)
  const died = { forth: new Set<string>(), back: new Set<string>() }
  const failures: string[] = []
  const finishing = { goOn: goOn ?? (async (lane: Lane, line: string) => void (await lane.run(line))), about }

  async function cycle(lane: Lane, [one, other]: Cell): Promise<void> {
    await dieAndGoOn(lane, forth, one, undisturbed.after, finishing)
    died.forth.add(nameOf(one))
    await dieAndGoOn(lane, back, other, before, finishing)
    died.back.add(nameOf(other))
  }

  async function work(given: Promise<Lane>): Promise<void> {
    let lane = await given
    for (let cell = queue.shift(); cell; cell = queue.shift()) {
      try {
        await cycle(lane, cell)
      } catch (error) {
        failures.push(error instanceof Error ? `${error.message}\n${String(error.cause ?? '')}` : String(error))
        await lane.close()
        lane = await make()
      }
    }
    await lane.close()
  }
  await Promise.all([work(Promise.resolve(first)), ...Array.from({ length: side - 1 }, () => work(make()))])
  expect(failures).toEqual([])
  for (const way of ['forth', 'back'] as const) {
    expect(died[way]).toEqual(new Set(tried[way].map(nameOf)))
    // no kind of write may be left out
    expect(new Set(tried[way].map(({ at }) => kindOf(at)))).toEqual(new Set(undisturbed[way].map(kindOf)))
  }
}

interface Finishing {
  goOn(lane: Lane, line: string): Promise<void>
  about?: ((key: string) => boolean) | undefined
}

async function dieAndGoOn(lane: Lane, line: string, death: Death, end: State, how: Finishing): Promise<void> {
  await lane.killed(line, death)
  await how.goOn(lane, line)
  await lane.becomes(end, `"${line}" after its death ${nameOf(death)}`, how.about)
}

/** Pairs with each death at least once. */
function pairs(forth: readonly Death[], back: readonly Death[]): Cell[] {
  const all = Array.from({ length: Math.max(forth.length, back.length) }, (_, i) => i)
  return all.map(i => [forth[i % forth.length] as Death, back[i % back.length] as Death])
}

/** The kind of a write: without the name of a single object, except for records. */
function kindOf({ what, nth }: Write): string {
  const kind = /POST|\?|configmaps/.test(what) ? what : what.replace(/\/[^/]+$/, '')
  return nth > 1 ? `${kind} ${nth}` : kind
}

/** One death for each kind of write, before or after it in turn. */
export function oneOfEachKind(deaths: readonly Death[]): Death[] {
  const kinds = [...new Set(deaths.map(({ at }) => kindOf(at)))]
  return kinds.flatMap((kind, i) => {
    const same = deaths.filter(({ at }) => kindOf(at) === kind)
    return (i % 2 === 0 ? same[0] : same.at(-1)) ?? []
  })
}
