import { expect, it } from 'vitest'
import { mapLimit, turns } from '../../../src/core/concurrency.ts'

it('mapLimit starts nothing more after a failure', async () => {
  const begun: number[] = []
  const work = mapLimit([1, 2, 3, 4, 5, 6], 2, async item => {
    begun.push(item)
    await new Promise(setImmediate)
    if (item === 1) throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  expect(begun).toEqual([1, 2])
})

it('mapLimit reports the first failure in order, whichever came first, after all running work has ended', async () => {
  let underWay = 0
  const work = mapLimit([3, 9, 1], 3, async turns => {
    underWay++
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
    underWay--
    throw new Error(`after ${turns}`)
  })
  await expect(work).rejects.toThrow('after 3')
  expect(underWay).toBe(0)
})

it('results come in the order of the items, whichever finishes first', async () => {
  const slowest = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
    return turns
  }
  expect(await mapLimit([5, 1, 3], 3, slowest)).toEqual([5, 1, 3])
})

it('turns limits how many run at a time, and continues after a failure', async () => {
  const turn = turns(2)
  let running = 0
  let most = 0
  const work = (fails: boolean) => async () => {
    running++
    most = Math.max(most, running)
    await new Promise(resolve => setImmediate(resolve))
    running--
    if (fails) throw new Error('no')
    return 'yes'
  }
  const ends = await Promise.allSettled([true, false, true, false, false].map(fails => turn(work(fails))))
  expect(ends.map(end => end.status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(most).toBe(2)
})
