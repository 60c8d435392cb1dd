/** Where the context of a federation is written: the user's own kubeconfig, or a file of its own. */

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

type Noted = { name: string; kubeconfigs?: KubeconfigNote[] }

/** What was stated on this machine before holds until something else is stated. Looks at the file, and writes nothing. */
export async function contextFile(
  deps: LocalDeps,
  federation: Noted,
  stated: string | undefined,
): Promise<ContextFile> {
  const { hostname: on } = deps.world
  const noted = federation.kubeconfigs ?? []
  if (stated === undefined) return { file: noted.findLast(n => n.on === on)?.file, all: noted }
  if (stated === '-') {
    throw usage('--kubeconfig-out wants a file', {
      next: [standaloneStep('print it on standard output', 'federation kubeconfig', federation.name)],
    })
  }
  const file = userPath(stated, deps.world)
  const made = await isOurs(deps, file)
  const before = noted.find(n => n.on === on && n.file === file)
  const rest = noted.filter(n => n !== before)
  return { file, all: [...rest, before ?? { file, on, made }] }
}

/** Will it hold nothing but what we write? Refused where it holds what is no kubeconfig. */
async function isOurs(deps: LocalDeps, file: string): Promise<boolean> {
  const there = await stat(file).catch(() => undefined)
  if (there && !there.isFile()) {
    throw usage(`--kubeconfig-out: ${file} is ${there.isDirectory() ? 'a folder' : 'no ordinary file'}`, {
      hint: 'name a file in it, or one that is not there yet',
    })
  }
  if (!there || there.size === 0) return true
  const foreign = conflict(`--kubeconfig-out: ${file} holds something that is no kubeconfig`, {
    hint: 'nothing was changed. Name another file: a new one, or a kubeconfig, which gets one context more',
  })
  try {
    const { data } = await readYamlFile(file, 'kubeconfig')
    if (Object.keys(data).some(key => !known.has(key)) || (data.kind ?? 'Config') !== 'Config') throw foreign
    await loadKubeconfig(deps.world, { file })
    return false
  } catch (error) {
    // broken YAML, lists of another shape: whatever it is, it is somebody's
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

/** From all files of this machine; the user is told of those on others. */
export async function removeAllContexts(
  deps: LocalDeps,
  federation: Noted & { uuid: string },
): Promise<FederationNote[]> {
  const { name, uuid, kubeconfigs = [] } = federation
  await removeContexts(deps, uuid)
  const notes: FederationNote[] = []
  for (const { file, on, made } of kubeconfigs) {
    if (on === deps.world.hostname)
      await removeFrom(deps, uuid, file, made).catch(error => notes.push(left(file, error)))
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

/** Somebody has made something else of it: no reason to keep a federation. */
const left = (file: string, error: unknown): FederationNote => ({
  kind: 'context-left',
  file,
  reason: error instanceof Error ? error.message : String(error),
})
