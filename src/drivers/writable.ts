/** What others can write, others can make us run: such folders and files are refused. */
import { readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { usage } from '../core/errors.ts'
import { shellWord } from '../core/shell-word.ts'

export async function refuseWritable(path: string): Promise<void> {
  const { mode, uid } = await stat(path)
  if ((mode & 0o022) !== 0) {
    throw usage(`${path} can be written by others, so drivers in it are not run`, {
      hint: `chmod go-w ${shellWord(path)}`,
    })
  }
  const self = ownUid()
  if (self === undefined || uid === self || uid === 0) return
  throw usage(`${path} belongs to another user, who can change it, so drivers in it are not run`, {
    hint: `chown -R ${self} ${shellWord(path)}, once you have read it`,
  })
}

/** Every file that could be loaded from it. What a package manager has put beside it is left to that. */
export async function refuseWritableIn(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries) {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      await refuseWritable(path)
      await refuseWritableIn(path)
    } else if (/\.(?:[cm]?js|json|node)$/.test(entry.name)) await refuseWritable(path)
  }
}

/** Undefined where users have no numbers, or this one has no entry. */
function ownUid(): number | undefined {
  try {
    const { uid } = userInfo()
    return uid < 0 ? undefined : uid
  } catch {
    return undefined
  }
}
