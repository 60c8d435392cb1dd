/** Real clusters for federations: contexts host, c2 and c3 of KUBECONFIG, and what an engine needs in COE_ASSETS. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { type Program, program } from './program.ts'
import { told } from './scene.ts'

const execute = promisify(execFile)

export const clustersThere = Boolean(process.env.KUBECONFIG && process.env.COE_ASSETS)

export interface Clusters extends Program {
  /** A name of our own for a federation. */
  name: string
  kubectl(context: string, ...words: string[]): Promise<string>
  /** Runs, expects success, and answers what was printed. */
  ok(line: string): Promise<string>
  /** The folder of the kubeconfig, for files of a test. */
  folder: string
  /** All that carries the federation's name, wherever it is. */
  left(federation?: string): Promise<string[]>
  contexts(): Promise<string[]>
}

const kinds =
  'all,configmaps,secrets,serviceaccounts,persistentvolumeclaims,poddisruptionbudgets,leases,namespaces,clusterroles,clusterrolebindings'

/** On a copy of the kubeconfig: the contexts that come and go are nobody else's business. */
export async function openClusters(): Promise<Clusters> {
  const folder = await mkdtemp(join(tmpdir(), 'coe-clusters-'))
  const KUBECONFIG = join(folder, 'kubeconfig')
  await writeFile(KUBECONFIG, await readFile(process.env.KUBECONFIG ?? ''), { mode: 0o600 })
  const coe = await program({ KUBECONFIG, COE_ASSETS: process.env.COE_ASSETS ?? '', COE_MODE: 'standalone' })
  const name = `st-${randomBytes(3).toString('hex')}`
  const env = { ...process.env, KUBECONFIG }
  const kubectl = async (context: string, ...words: string[]) =>
    (await execute('kubectl', ['--context', context, ...words], { env })).stdout
  return {
    ...coe,
    name,
    folder,
    kubectl,
    async ok(line) {
      const ended = await coe.run(line)
      expect(ended.code, told(line, ended)).toBe(0)
      return ended.out
    },
    contexts: async () =>
      (await execute('kubectl', ['config', 'get-contexts', '-o', 'name'], { env })).stdout
        .split('\n')
        .filter(Boolean)
        .sort(),
    async left(federation = name) {
      const found = await Promise.all(
        ['host', 'c2', 'c3'].map(async context => {
          const marked = await kubectl(context, 'get', kinds, '-A', '-o', 'name', '-l', `coe/federation=${federation}`)
          return marked
            .split('\n')
            .filter(Boolean)
            .map(object => `${context}: ${object}`)
        }),
      )
      return found.flat()
    },
    async close() {
      await coe.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Nodes that take pods. */
export async function schedulable(context: string): Promise<string[]> {
  const { stdout } = await execute('kubectl', ['--context', context, 'get', 'nodes', '-o', 'json'])
  const { items } = JSON.parse(stdout) as { items: Node[] }
  return items
    .filter(({ spec, status }) => {
      const repels = (spec.taints ?? []).some(taint => taint.effect !== 'PreferNoSchedule')
      return !repels && status.conditions.some(c => c.type === 'Ready' && c.status === 'True')
    })
    .map(({ metadata }) => metadata.name)
}

interface Node {
  metadata: { name: string }
  spec: { taints?: { effect: string }[] }
  status: { conditions: { type: string; status: string }[] }
}
