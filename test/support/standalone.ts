/** Simulated clusters in a kubeconfig of a home of its own, and definitions for an engine: what standalone mode works on. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definitionArchive } from '../../src/sandbox/karmada/definition-archive.ts'
import { type KubeSandbox, type KubeSandboxOptions, startKubeSandbox } from '../../src/sandbox/kube/start.ts'
import { type RunOptions, type RunResult, runCoe } from './run.ts'

export interface StandaloneLab {
  sandbox: KubeSandbox
  home: string
  kubeconfig: string
  env: Record<string, string>
  /** `--standalone` is put before the line. */
  run(line: string | readonly string[], options?: RunOptions): Promise<RunResult>
  /** Names of all that there is, on each cluster: what must be the same before and after. */
  objects(): Record<string, string[]>
  /** The same, before anything was run. */
  before: Record<string, string[]>
  close(): Promise<void>
}

export async function startLab(options: KubeSandboxOptions = {}): Promise<StandaloneLab> {
  const sandbox = await startKubeSandbox(options)
  const home = await mkdtemp(join(tmpdir(), 'coe-lab-'))
  const kubeconfig = join(home, 'kubeconfig')
  const assets = join(home, 'assets')
  const { archive, digest } = definitionArchive()
  await mkdir(assets)
  await writeFile(join(assets, 'karmada-crds-v1.18.2.tar.gz'), archive)
  await writeFile(kubeconfig, sandbox.kubeconfig, { mode: 0o600 })
  const env = { HOME: home, KUBECONFIG: kubeconfig, COE_ASSETS: assets, COE_CRDS_DIGEST: digest }
  const objects = () => {
    const clusters = [sandbox.host, ...sandbox.members]
    return Object.fromEntries(clusters.map(c => [c.name, c.snapshot().map(entry => JSON.stringify(entry))]))
  }
  return {
    sandbox,
    home,
    kubeconfig,
    env,
    run: (line, given = {}) => {
      const rest = typeof line === 'string' ? `--standalone ${line}` : ['--standalone', ...line]
      return runCoe(rest, { home, cwd: home, ...given, env: { ...env, ...given.env } })
    },
    objects,
    before: objects(),
    async close() {
      await sandbox.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
