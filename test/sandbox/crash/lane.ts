/** A lane: separate clusters for one kill after another. */
import { expect } from 'vitest'
import type { KubeSandboxOptions } from '../../../src/sandbox/kube/start.ts'
import { type Death, killSwitch, nameOf, type Write } from '../../support/kill-switch.ts'
import type { RunResult } from '../../support/run.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'
import { becomes, type State, stateAtRest } from './state.ts'

export interface Lane {
  lab: StandaloneLab
  /** Runs a command to its end, which must be a success. */
  run(line: string): Promise<RunResult>
  /** Runs a command and returns its writes. */
  observed(line: string): Promise<Write[]>
  killed(line: string, death: Death): Promise<void>
  /** The state once nothing changes any more. */
  state(): Promise<State>
  becomes(wanted: State, after: string, about?: (key: string) => boolean): Promise<void>
  close(): Promise<void>
}

/** With a federation and one candidate member. */
export async function startFederatedLane(): Promise<Lane> {
  const lane = await startLane({ members: 1 })
  await lane.run('federation create myfed --host host --expose nodeport')
  return lane
}

export async function startLane(options: KubeSandboxOptions = {}): Promise<Lane> {
  const kill = killSwitch()
  const lab = await startLab({ ...options, log: kill.log, faults: kill.faults })
  const living = new Set<number>()
  const ghosts: Promise<unknown>[] = []
  let lastPid = 5000
  const start = (line: string, pid: number, interrupt?: AbortSignal) => {
    living.add(pid)
    const isRunning = (other: number) => living.has(other)
    return lab.run(line, { pid, isRunning, node: `v20.20.2-${pid}`, ...(interrupt ? { interrupt } : {}) })
  }
  const lane: Lane = {
    lab,
    async run(line) {
      const pid = ++lastPid
      const result = await start(line, pid)
      living.delete(pid)
      expect(result.code, `${line}\n${result.out}${result.err}`).toBe(0)
      return result
    },
    async observed(line) {
      kill.log.clear()
      await lane.run(line)
      return kill.writes()
    },
    async killed(line, death) {
      const pid = ++lastPid
      const { died, signal } = kill.arm(death)
      const run = start(line, pid, signal)
      // the killed run may continue: none of its requests arrives
      ghosts.push(run)
      const end = await Promise.race([died, run])
      if (end !== 'dead') throw new Error(`"${line}" never came to its death ${nameOf(death)}: ${end.err}`)
      living.delete(pid)
    },
    state: () => stateAtRest(lab),
    becomes: (wanted, after, about) => becomes(lab, wanted, after, about),
    async close() {
      await Promise.allSettled(ghosts)
      await lab.close()
    },
  }
  return lane
}
