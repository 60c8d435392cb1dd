/** The built program, in a process of its own, killed for real three times in each command before it may finish it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFaults, type Faults } from '../../../src/sandbox/faults.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'
import { becomes, type State, stateOf } from './state.ts'

const file = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

let lab: StandaloneLab
let before: State
let nextWrite: (() => void) | undefined
beforeAll(async () => {
  lab = await startLab({ members: 1, faults: tellingFaults() })
  before = await stateOf(lab)
})
afterAll(() => lab.close())

const isWrite = (method: string, url: string) => /^(POST|PUT|PATCH|DELETE)$/.test(method) && !/reviews(\?|$)/.test(url)

function tellingFaults(): Faults {
  const faults = createFaults()
  return {
    ...faults,
    hit(asked) {
      if (asked.agent.startsWith('coe/') && isWrite(asked.method, asked.url)) nextWrite?.()
      return faults.hit(asked)
    },
  }
}

/** @param diesAt the write, counted from 1, that is under way when it is killed; undefined: it may end. */
async function coe(
  line: string,
  diesAt?: number,
): Promise<{ code: number | null; signal: string | null; err: string }> {
  const env = { PATH: process.env.PATH ?? '', ...lab.env }
  const argv = [file('bin/coe.js'), '--standalone', ...line.split(' ')]
  const child = spawn(process.execPath, argv, { env, cwd: lab.home, stdio: ['ignore', 'ignore', 'pipe'] })
  let writes = 0
  nextWrite = () => {
    if (++writes === diesAt) child.kill('SIGKILL')
  }
  const [err, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  nextWrite = undefined
  return { code, signal, err }
}

async function killedThrice(line: string, at: readonly [number, number, number]): Promise<void> {
  for (const write of at)
    expect(await coe(line, write), `${line}, at write ${write}`).toMatchObject({ signal: 'SIGKILL' })
  expect(await coe(line)).toMatchObject({ code: 0 })
}

describe.skipIf(!existsSync(file('dist/main.js')))('kill -9, three times each', { timeout: 40_000 }, () => {
  let made: State

  it('create goes on where it was, and the federation is healthy', async () => {
    await killedThrice('federation create myfed --host host --expose nodeport', [3, 12, 20])
    expect(await coe('federation status myfed')).toMatchObject({ code: 0 })
    made = await stateOf(lab)
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
