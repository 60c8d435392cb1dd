/** Changes kubeconfig files: in the file that kubectl would change, atomically, and without touching anything else. */
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
  /** Name → new content of `context`, `cluster`, `user`. Replaces an entry of that name. */
  readonly set?: { readonly [S in Section]?: Readonly<Record<string, Mapping>> }
  /** Names to remove; unknown names are ignored. */
  readonly remove?: { readonly [S in Section]?: readonly string[] }
  /** Unchanged if absent; `null` unsets it. */
  readonly currentContext?: string | null
}

/** The change, or a function that makes it from the current kubeconfig (and may throw to refuse). */
export type Edit = KubeconfigChange | ((now: Kubeconfig) => KubeconfigChange)

interface EditOptions extends KubeconfigOptions, LockOptions {
  /** Called for each file that got an entry and is readable by other users. */
  warn?(text: string): void
}

/** @returns the files that changed; none if the content was already there */
export async function editKubeconfig(world: World, change: Edit, options: EditOptions = {}): Promise<string[]> {
  const planned = await planOf(world, change, options)
  for (const file of planned.keys()) await checkWritable(file)
  if (planned.size === 0) return []
  return await withLocks(
    world,
    [...planned.keys()],
    async () => {
      // plan again under the lock: the files may have changed meanwhile
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

/** The new texts of the files that would change. */
async function editedTexts(plan: ReadonlyMap<string, FileChange>): Promise<{ file: string; text: string }[]> {
  const ready: { file: string; text: string }[] = []
  for (const [file, part] of plan) {
    const before = (await readIfExists(file)) ?? ''
    const text = await applyChange(before, file, part)
    if (text !== before) ready.push({ file, text })
  }
  return ready
}

/** Throws if a context of this name could not be written. Changes nothing; called before other work. */
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

/**
 * kubectl's rule: an existing entry is changed in its file; a new one goes to the first file that exists, else to the
 * last one named.
 */
function byFile(config: Kubeconfig, change: KubeconfigChange): Map<string, FileChange> {
  const fileOfNew = config.files[0] ?? config.paths.at(-1)
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
      at(config[section].get(name)?.file ?? fileOfNew).set.push({ section, name, value })
    }
  }
  if (change.currentContext !== undefined && change.currentContext !== (config.currentContext?.name ?? null)) {
    at(config.currentContext?.file ?? fileOfNew).currentContext = change.currentContext
  }
  return plan
}

async function checkWritable(file: string): Promise<void> {
  try {
    await access(file, constants.W_OK)
    await access(dirname(await realpath(file)), constants.W_OK)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return // writing will make it; taking the lock fails if the folder is not writable
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw unreadable(file, 'kubeconfig', error)
    throw failed(
      `you may not change the kubeconfig ${file}${code === 'EROFS' ? ' (it is on a read-only file system)' : ''}`,
      {
        hint: 'use another with KUBECONFIG or --kubeconfig, or change its permissions',
        cause: error,
        details: { file, code },
      },
    )
  }
}

/** Writes to the target of a symbolic link, so that the link stays. An existing file keeps its mode, owner and group. */
async function write(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file)
  const old = await stat(target).catch(() => undefined)
  try {
    await writeAtomic(target, text, old ? { mode: old.mode & 0o777, owner: old } : {})
  } catch (error) {
    // overwrites in place a file that cannot be replaced: one that is a mount point (containers), or whose owner we
    // cannot restore
    if (old && /^(EBUSY|EPERM)$/.test(errorCode(error) ?? '')) return await writeFile(target, text)
    if (error instanceof CoeError) throw error
    throw failed(`cannot write the kubeconfig ${file} (${errorCode(error) ?? (error as Error).message})`, {
      cause: error,
      details: { file, code: errorCode(error) },
    })
  }
}
