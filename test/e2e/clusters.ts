/** Real clusters for federations: contexts host, c2 and c3 of KUBECONFIG, and what an engine needs in COE_ASSETS. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Program, program } from './program.ts'

const execute = promisify(execFile)

export const clustersThere = Boolean(process.env.KUBECONFIG && process.env.COE_ASSETS)

export interface Clusters extends Program {
  /** A name of our own for a federation. */
  name: string
  kubectl(context: string, ...words: string[]): Promise<string>
  /** All that carries the federation's name, wherever it is. */
  left(): Promise<string[]>
  contexts(): Promise<string[]>
}

const kinds =
  'all,configmaps,secrets,serviceaccounts,persistentvolumeclaims,leases,namespaces,clusterroles,clusterrolebindings'

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
    kubectl,
    contexts: async () =>
      (await execute('kubectl', ['config', 'get-contexts', '-o', 'name'], { env })).stdout
        .split('\n')
        .filter(Boolean)
        .sort(),
    async left() {
      const found = await Promise.all(
        ['host', 'c2', 'c3'].map(async context => {
          const marked = await kubectl(context, 'get', kinds, '-A', '-o', 'name', '-l', `coe/federation=${name}`)
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
