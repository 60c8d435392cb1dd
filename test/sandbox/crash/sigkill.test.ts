/** The built program, in a process of its own, killed for real three times in each command before it may finish it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'
import { isBuilt, runBuilt, tellingFaults } from './process.ts'
import { becomes, type State, settled } from './state.ts'

const telling = tellingFaults()
let lab: StandaloneLab
let before: State
beforeAll(async () => {
  lab = await startLab({ members: 1, faults: telling.faults })
  before = await settled(lab)
})
afterAll(() => lab.close())

/** @param diesAt the write, counted from 1, that is under way when it is killed; undefined: it may end. */
const coe = (line: string, diesAt?: number) =>
  runBuilt(lab, line, telling, (nth, child) => nth === diesAt && child.kill('SIGKILL'))

async function killedThrice(line: string, at: readonly [number, number, number]): Promise<void> {
  for (const write of at)
    expect(await coe(line, write), `${line}, at write ${write}`).toMatchObject({ signal: 'SIGKILL' })
  expect(await coe(line)).toMatchObject({ code: 0 })
}

describe.skipIf(!isBuilt)('kill -9, three times each', () => {
  let made: State

  it('create goes on where it was, and the federation is healthy', async () => {
    await killedThrice('federation create myfed --host host --expose nodeport', [3, 12, 20])
    expect(await coe('federation status myfed')).toMatchObject({ code: 0 })
    made = await settled(lab)
  })

  it('join goes on, and the member is Ready', async () => {
    await killedThrice('federation join myfed c2', [3, 5, 4])
    const { out } = await lab.run('federation members myfed -f json')
    expect(JSON.parse(out)).toMatchObject([{ name: 'c2', ready: true }])
  })

  it('unjoin goes on, and leaves what was before', async () => {
    await killedThrice('federation unjoin myfed c2', [2, 4, 5])
    await becomes(lab, made, 'unjoin')
  })

  it('delete goes on, and leaves nothing anywhere', async () => {
    await killedThrice('federation delete myfed --yes', [2, 4, 3])
    await becomes(lab, before, 'delete')
  })
})
