/** The number of requests: no more than by the engine's own tool, apart from verification. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countOf } from '../../bench/purpose.mjs'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.close())

/** Counts each request once, because checks may repeat on a busy machine. */
async function counted(line: string) {
  lab.sandbox.log.clear()
  expect(await lab.run(line)).toMatchObject({ code: 0 })
  const mine = lab.sandbox.log.all().filter(entry => /^coe/.test(entry.agent))
  const once = new Map(mine.map(entry => [`${entry.service} ${entry.method} ${entry.url}`, entry]))
  return countOf([...once.values()])
}

it('create: far fewer than 125 requests', async () => {
  const { all, work } = await counted('federation create myfed --host host --expose nodeport')
  expect(work).toBeLessThanOrEqual(75)
  expect(all).toBeLessThanOrEqual(100)
})

it('join: fewer than 30 requests, and those that verify', async () => {
  const { work, verification } = await counted('federation join myfed c2')
  expect(work).toBeLessThanOrEqual(22)
  expect(verification).toBeLessThanOrEqual(13) // one asks whether the federation's etcd still has its data
})

it('join of a second member: reads the federation’s API and its members once for both', async () => {
  const { work } = await counted('federation join myfed c2 c3')
  expect(work).toBeLessThanOrEqual(38)
})

it('show, list and status: the same few requests for any number of members', async () => {
  // the record, its members, the Secret that has the address, and whether etcd still has its data
  expect((await counted('federation show myfed')).all).toBe(4)
  expect((await counted('federation list')).all).toBe(2)
  // two of them compare what etcd has with what was put there
  expect((await counted('federation status myfed')).all).toBe(11)
})

it('unjoin: fewer than 27 requests', async () => {
  const { work, verification } = await counted('federation unjoin myfed c2')
  expect(work).toBeLessThanOrEqual(20)
  expect(verification).toBeLessThanOrEqual(13)
})
