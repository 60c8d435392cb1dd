/** A simulated cloud and a home folder of its own for in-process runs. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Clock } from '../../src/core/world.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/start.ts'
import { type RunOptions, type RunResult, runCoe } from './run.ts'

export interface TestCloud {
  sandbox: Sandbox
  home: string
  /** File with the sandbox's CA. */
  caFile: string
  env: Record<string, string>
  /** Runs as the demo user unless `env` says otherwise; no secret of the sandbox may show in any stream. */
  run(line: string | readonly string[], options?: RunOptions): Promise<RunResult>
  as(user: string, project?: string): (line: string | readonly string[], options?: RunOptions) => Promise<RunResult>
  close(): Promise<void>
}

export async function startCloud(options: SandboxOptions = {}): Promise<TestCloud> {
  const sandbox = await startSandbox({ speed: 0, ...options })
  const home = await mkdtemp(join(tmpdir(), 'coe-test-'))
  const caFile = join(home, 'ca.pem')
  await writeFile(caFile, sandbox.caPem ?? '')
  const envOf = (user?: string, project?: string) => ({
    ...sandbox.env(user, project, sandbox.caPem === undefined ? undefined : caFile),
    HOME: home,
  })
  const clock = patientClock(sandbox)
  const runAs =
    (env: Record<string, string>): TestCloud['run'] =>
    async (line, given = {}) => {
      const secrets = ['sandbox-password', ...(given.secrets ?? [])]
      return runCoe(line, { home, cwd: home, clock, ...given, secrets, env: { ...env, ...given.env } })
    }
  return {
    sandbox,
    home,
    caFile,
    env: envOf(),
    run: runAs(envOf()),
    as: (user, project) => runAs(envOf(user, project)),
    async close() {
      await sandbox.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Longer sleeps are no polls but signs of life: they see time pass, and do not make it. */
const longestPollMs = 30_000

/** Whoever sleeps by this clock moves the sandbox's time on instead: a wait of ten minutes takes none. */
export function patientClock(sandbox: Sandbox): Clock {
  const { clock } = sandbox
  return {
    now: () => clock.now(),
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      const until = clock.now() + ms
      if (ms < longestPollMs) clock.advance(ms)
      else while (clock.now() < until) await setTimeout(1, undefined, { ref: false, ...(signal ? { signal } : {}) })
      await setImmediate()
      signal?.throwIfAborted()
    },
  }
}
