/** Changes to kubeconfig files: in the file where kubectl would make them, all or nothing, everything else left as it is. */
import { access, constants, realpath, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CoeError, errorCode, failed } from '../../core/errors.ts'
import { othersMayRead, readIfExists, writeAtomic } from '../../core/files.ts'
import { shellWord } from '../../core/shell-word.ts'
import type { World } from '../../core/world.ts'
import { type Mapping, unreadable } from '../yaml/yaml-file.ts'
import { applyChange, type FileChange } from './kubeconfig-document.ts'
import { type LockOptions, withLocks } from './kubeconfig-lock.ts'
import { type Kubeconfig, type KubeconfigOptions, loadKubeconfig, type Section } from './kubeconfig-read.ts'

export interface KubeconfigChange {
  /** Name → what is to stand under `context`, `cluster`, `user`. An entry of that name becomes this. */
  readonly set?: { readonly [S in Section]?: Readonly<Record<string, Mapping>> }
  /** Names; those that are not there are passed over. */
  readonly remove?: { readonly [S in Section]?: readonly string[] }
  /** Left alone when absent; `null` unsets it. */
  readonly currentContext?: string | null
}

/** What is to be, or what makes it of the kubeconfig as it is (and may refuse by throwing). */
export type Edit = KubeconfigChange | ((now: Kubeconfig) => KubeconfigChange)

interface EditOptions extends KubeconfigOptions, LockOptions {
  /** Told of each file that got an entry and that others may read. */
  warn?(text: string): void
}

/** @returns the files that changed; none when everything was so already */
export async function editKubeconfig(world: World, change: Edit, options: EditOptions = {}): Promise<string[]> {
  const planned = await planOf(world, change, options)
  for (const file of planned.keys()) await checkWritable(file)
  if (planned.size === 0) return []
  return await withLocks(
    world,
    [...planned.keys()],
    async () => {
      // read again: what was planned without the lock may no longer be so
      const plan = await planOf(world, change, options)
      const ready = await editedTexts(plan)
      for (const { file, text } of ready) {
        await write(file, text)
        const adds = (plan.get(file)?.set.length ?? 0) > 0
        if (adds && world.platform !== 'win32' && (await othersMayRead(file))) options.warn?.(openText(file))
      }
      return ready.map(r => r.file)
    },
    options,
  )
}

const openText = (file: string): string =>
  `other users of this machine may read ${file}, which holds credentials; to keep it to yourself: chmod go= ${shellWord(file)}`

/** Whether it would change nothing. */
export const isEdited = async (world: World, change: Edit, options: KubeconfigOptions = {}): Promise<boolean> =>
  (await editedTexts(await planOf(world, change, options))).length === 0

async function planOf(world: World, change: Edit, options: KubeconfigOptions): Promise<Map<string, FileChange>> {
  const now = await loadKubeconfig(world, { ...options, mayBeNew: true })
  return byFile(now, typeof change === 'function' ? change(now) : change)
}

/** Of the files that would become others. */
async function editedTexts(plan: ReadonlyMap<string, FileChange>): Promise<{ file: string; text: string }[]> {
  const ready: { file: string; text: string }[] = []
  for (const [file, part] of plan) {
    const before = (await readIfExists(file)) ?? ''
    const text = await applyChange(before, file, part)
    if (text !== before) ready.push({ file, text })
  }
  return ready
}

/** Before anything else is done: could a context of this name be written? As an error if not; nothing is changed. */
export async function refuseUneditable(
  world: World,
  context: string,
  options: KubeconfigOptions & LockOptions = {},
): Promise<void> {
  const now = await loadKubeconfig(world, { ...options, mayBeNew: true })
  const files = [...byFile(now, { set: { contexts: { [context]: {} } } }).keys()]
  for (const file of files) await checkWritable(file)
  await withLocks(world, files, async () => {}, options)
}

/** kubectl's rule: an entry is changed where it is; a new one goes to the first file that exists, else to the last named. */
function byFile(config: Kubeconfig, change: KubeconfigChange): Map<string, FileChange> {
  const fresh = config.files[0] ?? config.paths.at(-1)
  const plan = new Map<string, FileChange>()
  const at = (file: string | undefined): FileChange => {
    if (file === undefined) {
      throw failed('there is no place for a kubeconfig', { hint: 'set KUBECONFIG to a file: there is no home folder' })
    }
    const known = plan.get(file) ?? { set: [], remove: [] }
    plan.set(file, known)
    return known
  }
  for (const section of ['clusters', 'users', 'contexts'] as const) {
    for (const name of change.remove?.[section] ?? []) {
      const entry = config[section].get(name)
      if (entry) at(entry.file).remove.push({ section, name })
    }
    for (const [name, value] of Object.entries(change.set?.[section] ?? {})) {
      at(config[section].get(name)?.file ?? fresh).set.push({ section, name, value })
    }
  }
  if (change.currentContext !== undefined && change.currentContext !== (config.currentContext?.name ?? null)) {
    at(config.currentContext?.file ?? fresh).currentContext = change.currentContext
  }
  return plan
}

async function checkWritable(file: string): Promise<void> {
  try {
    await access(file, constants.W_OK)
    await access(dirname(await realpath(file)), constants.W_OK)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return // made by writing; a folder that refuses says so at the lock
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw unreadable(file, 'kubeconfig', error)
    throw failed(
      `may not change the kubeconfig ${file}${code === 'EROFS' ? ' (it is on a read-only file system)' : ''}`,
      {
        hint: 'use another with KUBECONFIG or --kubeconfig, or change its rights',
        cause: error,
        details: { file, code },
      },
    )
  }
}

/** Where a symbolic link leads, so that the link stays. A file that is there keeps its mode, its owner and its group. */
async function write(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file)
  const old = await stat(target).catch(() => undefined)
  try {
    await writeAtomic(target, text, old ? { mode: old.mode & 0o777, owner: old } : {})
  } catch (error) {
    // a file mounted by itself (containers) cannot be replaced, only filled; nor can one that we may not give back to its owner
    if (old && /^(EBUSY|EPERM)$/.test(errorCode(error) ?? '')) return await writeFile(target, text)
    if (error instanceof CoeError) throw error
    throw failed(`cannot write the kubeconfig ${file} (${errorCode(error) ?? (error as Error).message})`, {
      cause: error,
      details: { file, code: errorCode(error) },
    })
  }
}
