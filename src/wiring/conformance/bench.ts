/** Simulated clusters to run a driver on: each run is one of its own, as if by a process of its own, and can be killed at a write. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { loadSettings } from '../../config/settings.ts'
import type { Clock, World } from '../../core/world.ts'
import type { Backend } from '../../model/backend.ts'
import type { Call } from '../../model/call.ts'
import { definitionArchive } from '../../sandbox/karmada/definition-archive.ts'
import { type Death, deathsOf, type KillSwitch, killSwitch } from '../../sandbox/kill-switch.ts'
import { type KubeSandbox, startKubeSandbox } from '../../sandbox/kube/start.ts'
import { type BackendDeps, openBackend } from '../open-backend.ts'

export interface Bench {
  sandbox: KubeSandbox
  clock: Clock
  /** All that the driver said must never be printed. */
  secrets: Set<string>
  /** All that runs have printed. */
  printed: string[]
  /** A run of its own, to its end. */
  run<T>(work: (run: BenchRun) => Promise<T>): Promise<T>
  /** The same, and at which writes it could have been killed. */
  observed(work: (run: BenchRun) => Promise<unknown>): Promise<Death[]>
  /** Resolves when the run is dead: no request of it arrives any more. */
  killed(work: (run: BenchRun) => Promise<unknown>, death: Death): Promise<void>
  /** The writes of runs since the last question, reviews and leases apart. */
  writes(): string[]
  /** Names of all that there is on each cluster. */
  objects(): Record<string, string[]>
  close(): Promise<void>
}

export interface BenchRun {
  deps: BackendDeps
  backend: Backend
  call: Call
}

/** @param folder of the driver; undefined for one that coe has */
export async function openBench(base: World, folder: string | undefined, members: number): Promise<Bench> {
  const death = killSwitch()
  const sandbox = await startKubeSandbox({ members, loadBalancer: true, log: death.log, faults: death.faults })
  const home = await mkdtemp(join(tmpdir(), 'coe-driver-test-'))
  const env = await furnished(home, sandbox, folder)
  const secrets = new Set<string>()
  const printed: string[] = []
  const living = new Set<number>()
  const ghosts: Promise<unknown>[] = []
  let lastPid = 100_000
  const start = async <T>(pid: number, signal: AbortSignal, work: (run: BenchRun) => Promise<T>): Promise<T> => {
    living.add(pid)
    const world: World = { ...base, env, home, cwd: home, pid, isRunning: other => living.has(other) }
    const deps: BackendDeps = {
      world,
      settings: await loadSettings(world),
      userAgent: `coe/driver-test-${pid}`,
      secrets: { addSecret: value => void (value && secrets.add(value)) },
      warn: text => void printed.push(text),
    }
    const tell = (_: string, text?: string) => void (text && printed.push(text))
    const report = { step: tell, done: tell, fail: tell, note: (text: string) => void printed.push(text) }
    const call = { signal, caller: { name: base.hostname, interactive: false }, report }
    return work({ deps, call, backend: await openBackend('standalone', deps) })
  }
  const bench: Bench = {
    sandbox,
    clock: base.clock,
    secrets,
    printed,
    async run(work) {
      const pid = ++lastPid
      const value = await start(pid, new AbortController().signal, work)
      living.delete(pid)
      return value
    },
    async observed(work) {
      death.log.clear()
      await bench.run(work)
      return deathsOf(death.writes())
    },
    async killed(work, at) {
      const pid = ++lastPid
      const { died, signal } = death.arm(at)
      const run = start(pid, signal, work).then(
        () => 'ended',
        () => 'ended',
      )
      ghosts.push(run)
      const end = await Promise.race([died, run])
      living.delete(pid)
      if (end !== 'dead') disarm(death)
    },
    writes() {
      const all = death.writes().map(({ what }) => what)
      death.log.clear()
      return all.filter(what => !what.includes('/leases'))
    },
    objects: () =>
      Object.fromEntries(
        [sandbox.host, ...sandbox.members].map(c => [c.name, c.snapshot().map(e => JSON.stringify(e))]),
      ),
    async close() {
      await Promise.allSettled(ghosts)
      await sandbox.close()
      await rm(home, { recursive: true, force: true })
    },
  }
  return bench
}

/** A write that never came (requests go side by side) must not kill the next run. */
const disarm = (death: KillSwitch): void => void death.arm({ at: { what: '', nth: -1 }, when: 'before' })

/** A home in which only the sandbox and this driver are to be found. */
async function furnished(home: string, sandbox: KubeSandbox, folder: string | undefined): Promise<World['env']> {
  const [assets, config, drivers] = ['assets', 'config', 'drivers'].map(name => join(home, name)) as [
    string,
    string,
    string,
  ]
  const { archive, digest } = definitionArchive()
  for (const path of [assets, config, drivers]) await mkdir(path, { mode: 0o700 })
  await writeFile(join(assets, 'karmada-crds-v1.18.2.tar.gz'), archive)
  await writeFile(join(home, 'kubeconfig'), sandbox.kubeconfig, { mode: 0o600 })
  await writeFile(join(config, 'config.yaml'), `drivers: {folders: [${JSON.stringify(drivers)}]}\n`)
  if (folder !== undefined) await symlink(folder, join(drivers, basename(folder)))
  return {
    HOME: home,
    KUBECONFIG: join(home, 'kubeconfig'),
    COE_CONFIG_DIR: config,
    COE_STATE_DIR: join(home, 'state'),
    COE_CACHE_DIR: join(home, 'cache'),
    COE_ASSETS: assets,
    COE_CRDS_DIGEST: digest,
  }
}
