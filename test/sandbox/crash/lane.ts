/** Clusters of their own for one kill after another, and what stands on them, in a form that two runs share. */
import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { parse } from 'yaml'
import type { KubeSandboxOptions } from '../../../src/sandbox/kube/start.ts'
import { type Death, killSwitch, nameOf, type Write } from '../../support/kill-switch.ts'
import type { RunResult } from '../../support/run.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

/** Everything that there is, each by its place and name. */
export type State = ReadonlyMap<string, string>

export interface Lane {
  lab: StandaloneLab
  /** To its end, which must be good. */
  run(line: string): Promise<RunResult>
  /** The same, and which writes that took. */
  observed(line: string): Promise<Write[]>
  killed(line: string, death: Death): Promise<void>
  state(): Promise<State>
  /** Clusters come to rest a moment after a command does. */
  becomes(wanted: State, after: string): Promise<void>
  close(): Promise<void>
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
      expect(result, line).toMatchObject({ code: 0 })
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
      // the dead one goes on as long as it likes: none of its requests arrives
      ghosts.push(run)
      const end = await Promise.race([died, run])
      if (end !== 'dead') throw new Error(`"${line}" never came to its death ${nameOf(death)}: ${end.err}`)
      living.delete(pid)
    },
    state: () => stateOf(lab),
    async becomes(wanted, after) {
      const look = async () => differences(wanted, await lane.state())
      await expect.poll(look, { interval: 30, timeout: 5_000, message: after }).toEqual([])
    },
    async close() {
      await Promise.allSettled(ghosts)
      await lab.close()
    },
  }
  return lane
}

async function stateOf({ sandbox, kubeconfig }: StandaloneLab): Promise<State> {
  const federation = sandbox.federation('coe-fed-myfed')
  const places = [sandbox.host, ...sandbox.members, ...(federation ? [{ name: 'federation', ...federation }] : [])]
  const { contexts } = parse(await readFile(kubeconfig, 'utf8')) as { contexts: { name: string }[] }
  return new Map([
    ...places.flatMap(place => place.snapshot().map(({ key, object }) => [`${place.name}: ${key}`, told(key, object)])),
    ...contexts.map(({ name }) => [`context ${name}`, '']),
  ] as [string, string][])
}

/** What runs were there, and when, is in the records for people to read: it is no part of what they came to. */
const passing = ['history', 'updated-at', 'joined-at']

function told(key: string, object: unknown): string {
  const text = JSON.stringify(object, (field, value) => (field === 'coe/run' ? undefined : value))
  if (/^configmaps \S+\/coe-(federation|member)/.test(key)) {
    const { data, ...rest } = JSON.parse(text) as { data: Record<string, string> }
    return JSON.stringify({ ...rest, data: Object.entries(data).filter(([field]) => !passing.includes(field)) })
  }
  // pods have names and addresses by chance
  return text.replace(/<hash>-[a-z0-9]{5}"/g, '<pod>"').replace(/"10\.24\d\.\d+\.\d+"/g, '"<pod IP>"')
}

function differences(wanted: State, found: State): string[] {
  const missing = [...wanted.keys()].filter(key => !found.has(key)).map(key => `missing: ${key}`)
  const more = [...found].flatMap(([key, text]) => {
    const other = wanted.get(key)
    if (other === text) return []
    return [other === undefined ? `too much: ${key}` : `not the same: ${key}\n  wanted ${other}\n  found  ${text}`]
  })
  return [...missing, ...more]
}
