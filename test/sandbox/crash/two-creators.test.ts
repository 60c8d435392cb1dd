/** Two users create a federation of the same name at once, with different options. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFaults, type Faults } from '../../../src/sandbox/faults.ts'
import type { RunOptions } from '../../support/run.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

let lab: StandaloneLab
let before: Record<string, string[]>
let onRequest: () => unknown = () => {}
const faults: Faults = createFaults()
beforeAll(async () => {
  const hit: Faults['hit'] = asked => {
    const effects = faults.hit(asked)
    onRequest()
    return effects
  }
  lab = await startLab({ members: 0, faults: { ...faults, hit } })
  before = lab.objects()
})
afterAll(() => lab.close())

/** Delays the first request for the record of each run until the other's, so that both find none. */
function together(): void {
  let both = () => {}
  const until = new Promise<void>(resolve => {
    both = resolve
  })
  const path = /configmaps\/coe-federation/
  const hold = faults.order({ agent: /^coe/, method: 'GET', path, times: 2, effect: { kind: 'hold', until } })
  onRequest = () => hold.hits === 2 && both()
}

const one: RunOptions = { pid: 4711, isRunning: () => true }
const another: RunOptions = { pid: 4712, isRunning: () => true }
const create = 'federation create myfed --host host --expose nodeport'

async function race(first: string, second: string) {
  together()
  const runs = await Promise.all([lab.run(`${create} ${first}`, one), lab.run(`${create} ${second}`, another)])
  onRequest = () => {}
  faults.clear()
  return runs
}

const settings = async () => (await lab.run('federation show myfed -f yaml -c settings')).out

describe('of two creators', () => {
  it.each([
    ['--storage pvc', '--storage emptydir', '--storage'],
    ['--storage-size 7Gi', '--storage-size 9Gi', '--storage-size'],
  ])('with "%s" and "%s" one makes it, the other is refused, and nothing is mixed', async (first, second, option) => {
    const runs = await race(first, second)
    expect(runs.map(r => r.code).sort()).toEqual([0, 5])
    const refused = runs.find(r => r.code === 5)
    expect(refused?.err).toContain(option)
    expect(refused?.err).toContain('is there with other settings, which cannot be changed')
    const [winner] = [first, second].filter((_, i) => runs[i]?.code === 0)
    const value = /--storage\S* (\S+)/.exec(winner ?? '')?.[1] ?? 'pvc'
    expect(await settings()).toContain(value)
    expect((await lab.run('federation status myfed')).code).toBe(0)
    expect((await lab.run('federation delete myfed --yes')).code).toBe(0)
    expect(lab.objects()).toEqual(before)
  })

  it('with the same options both succeed, and an option of only one is kept', async () => {
    const runs = await race('--property a=1', '--property b=2')
    expect(runs.map(r => r.code)).toEqual([0, 0])
    const shown = JSON.parse((await lab.run('federation show myfed -f json')).out)
    expect(shown.properties).toEqual({ a: '1', b: '2' })
    expect((await lab.run('federation delete myfed --yes')).code).toBe(0)
  })
})
