/** Decides where the context of a federation is written: to the user's kubeconfig, or to a separate file. */
import { rm, stat } from 'node:fs/promises'
import { loadKubeconfig } from '../config/kubeconfig/kubeconfig.ts'
import { userPath } from '../config/paths.ts'
import { readYamlFile } from '../config/yaml/yaml-file.ts'
import { CoeError, conflict, usage } from '../core/errors.ts'
import { standaloneStep } from '../core/next-step.ts'
import type { ContextFile, KubeconfigNote } from '../model/local-state.ts'
import type { FederationNote } from '../model/notes.ts'
import { removeContexts } from './context-entry.ts'
import type { LocalDeps } from './deps.ts'

type FederationFiles = { name: string; kubeconfigs?: KubeconfigNote[] }

/** Defaults to the file that was last used on this machine. Reads the file, but writes nothing. */
export async function contextFile(
  deps: LocalDeps,
  federation: FederationFiles,
  stated: string | undefined,
): Promise<ContextFile> {
  const { hostname: on } = deps.world
  const noted = federation.kubeconfigs ?? []
  if (stated === undefined) return { file: noted.findLast(n => n.on === on)?.file, all: noted }
  if (stated === '-') {
    throw usage('--kubeconfig-out needs the name of a file', {
      next: [standaloneStep('print it on standard output', 'federation kubeconfig', federation.name)],
    })
  }
  const file = userPath(stated, deps.world)
  const made = await isOurs(deps, file)
  const before = noted.find(n => n.on === on && n.file === file)
  const rest = noted.filter(n => n !== before)
  return { file, all: [...rest, before ?? { file, on, made }] }
}

/** Whether the file will contain only our entries. Refuses a file that is not a kubeconfig. */
async function isOurs(deps: LocalDeps, file: string): Promise<boolean> {
  const there = await stat(file).catch(() => undefined)
  if (there && !there.isFile()) {
    const isFolder = there.isDirectory()
    throw usage(`--kubeconfig-out: ${file} is ${isFolder ? 'a folder' : 'not a regular file'}`, {
      hint: isFolder ? 'name a file in it' : 'name another file',
    })
  }
  if (!there || there.size === 0) return true
  const foreign = conflict(`--kubeconfig-out: ${file} is not a kubeconfig`, {
    hint: 'nothing was changed. Name a new file, or a kubeconfig: the context is added to it',
  })
  try {
    const { data } = await readYamlFile(file, 'kubeconfig')
    if (Object.keys(data).some(key => !known.has(key)) || (data.kind ?? 'Config') !== 'Config') throw foreign
    await loadKubeconfig(deps.world, { file })
    return false
  } catch (error) {
    // invalid YAML or lists of another shape: the file belongs to the user or to another program
    throw error instanceof CoeError && error.outcome === 'usage' ? foreign : error
  }
}

const known = new Set([
  'apiVersion',
  'kind',
  'clusters',
  'contexts',
  'users',
  'current-context',
  'preferences',
  'extensions',
])

/** Removes the federation's contexts from all files on this machine. The notes name the files on other machines. */
export async function removeAllContexts(
  deps: LocalDeps,
  federation: FederationFiles & { uuid: string },
): Promise<FederationNote[]> {
  const { name, uuid, kubeconfigs = [] } = federation
  await removeContexts(deps, uuid)
  const notes: FederationNote[] = []
  for (const { file, on, made } of kubeconfigs) {
    if (on === deps.world.hostname)
      await removeFrom(deps, uuid, file, made).catch(error => notes.push(contextLeft(file, error)))
    else notes.push({ kind: 'context-elsewhere', name, file, machine: on })
  }
  return notes
}

async function removeFrom(deps: LocalDeps, uuid: string, file: string, made: boolean): Promise<void> {
  const there = await stat(file).catch(() => undefined)
  if (!there?.isFile() || there.size === 0) return
  await removeContexts(deps, uuid, file)
  const { contexts, clusters, users } = await loadKubeconfig(deps.world, { file })
  if (made && contexts.size + clusters.size + users.size === 0) await rm(file)
}

/** A file that was changed by hand is no reason to keep a federation. */
const contextLeft = (file: string, error: unknown): FederationNote => ({
  kind: 'context-left',
  file,
  reason: error instanceof Error ? error.message : String(error),
})
