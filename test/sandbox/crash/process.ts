/** The built program in a real process, against simulated clusters: for signals, which cannot be tested in process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createFaults, type Faults } from '../../../src/sandbox/faults.ts'
import type { StandaloneLab } from '../../support/standalone.ts'

const file = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

export const isBuilt = existsSync(file('dist/main.cjs'))

export interface Ended {
  code: number | null
  signal: string | null
  out: string
  err: string
  ms: number
}

/** Called at each write that coe sends, counted from 1. */
type OnWrite = (nth: number, child: ChildProcess) => void

const isWrite = (method: string, url: string) => /^(POST|PUT|PATCH|DELETE)$/.test(method) && !/reviews(\?|$)/.test(url)

/** Faults for a lab, which also report each write before the server gets it. */
export function reportingFaults(): { faults: Faults; onWrite(call: (() => void) | undefined): void } {
  const faults = createFaults()
  let notify: (() => void) | undefined
  return {
    faults: {
      ...faults,
      hit(target) {
        if (target.agent.startsWith('coe/') && isWrite(target.method, target.url)) notify?.()
        return faults.hit(target)
      },
    },
    onWrite(call) {
      notify = call
    },
  }
}

/** How it is started: the command, and variables besides those of the lab. */
interface Start {
  through?: readonly string[]
  more?: Record<string, string>
}

export async function runBuilt(
  lab: StandaloneLab,
  line: string,
  { onWrite }: Pick<ReturnType<typeof reportingFaults>, 'onWrite'>,
  atWrite: OnWrite = () => {},
  { through = [], more = {} }: Start = {},
): Promise<Ended> {
  const env = { PATH: process.env.PATH ?? '', ...lab.env, ...more }
  const words = [...through, process.execPath, file('bin/coe.js'), '--standalone', ...line.split(' ')]
  const [command = '', ...argv] = words
  const began = Date.now()
  const child = spawn(command, argv, { env, cwd: lab.home, stdio: ['ignore', 'pipe', 'pipe'] })
  let writes = 0
  onWrite(() => atWrite(++writes, child))
  const [out, err, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  onWrite(undefined)
  return { code, signal, out, err, ms: Date.now() - began }
}
