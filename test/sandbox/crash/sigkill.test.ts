/** The built program in a real process, killed three times in each command before it may finish. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'
import { isBuilt, reportingFaults, runBuilt } from './process.ts'
import { becomes, type State, stateAtRest } from './state.ts'

const telling = reportingFaults()
let lab: StandaloneLab
let before: State
beforeAll(async () => {
  lab = await startLab({ members: 1, faults: telling.faults })
  before = await stateAtRest(lab)
})
afterAll(() => lab.close())

/** @param diesAt the write, counted from 1, at which it is killed; undefined: it runs to its end */
const coe = (line: string, diesAt?: number) =>
  runBuilt(lab, line, telling, (nth, child) => nth === diesAt && child.kill('SIGKILL'))

async function killedThrice(line: string, at: readonly [number, number, number]): Promise<void> {
  for (const write of at)
    expect(await coe(line, write), `${line}, at write ${write}`).toMatchObject({ signal: 'SIGKILL' })
  expect(await coe(line)).toMatchObject({ code: 0 })
}

describe.skipIf(!isBuilt)('kill -9, three times each', () => {
  let made: State

  it('create resumes, and the federation is healthy', async () => {
    await killedThrice('federation create myfed --host host --expose nodeport', [3, 12, 20])
    expect(await coe('federation status myfed')).toMatchObject({ code: 0 })
    made = await stateAtRest(lab)
  })

  it('join resumes, and the member is Ready', async () => {
    await killedThrice('federation join myfed c2', [3, 5, 4])
    const { out } = await lab.run('federation members myfed -f json')
    expect(JSON.parse(out)).toMatchObject([{ name: 'c2', ready: true }])
  })

  it('unjoin resumes, and restores the previous state', async () => {
    await killedThrice('federation unjoin myfed c2', [2, 4, 5])
    await becomes(lab, made, 'unjoin')
  })

  it('delete resumes, and leaves nothing', async () => {
    await killedThrice('federation delete myfed --yes', [2, 4, 3])
    await becomes(lab, before, 'delete')
  })
})
