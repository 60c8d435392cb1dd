/** Refuses driver files that other users can write: those users could make coe run any code. */
import { readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { usage } from '../core/errors.ts'
import { shellWord } from '../core/shell-word.ts'

export async function refuseWritable(path: string): Promise<void> {
  const { mode, uid } = await stat(path)
  if ((mode & 0o022) !== 0) {
    throw usage(`other users can write to ${path}, so coe does not run drivers from it`, {
      hint: `chmod go-w ${shellWord(path)}`,
    })
  }
  const self = ownUid()
  if (self === undefined || uid === self || uid === 0) return
  throw usage(`${path} belongs to another user, who can change it, so coe does not run drivers from it`, {
    hint: `review it, then run: chown -R ${self} ${shellWord(path)}`,
  })
}

/** Checks every file that the driver could load, except its node_modules folder, which the package manager protects. */
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

/** Undefined on platforms without user ids, or if this user has no entry in the password database. */
function ownUid(): number | undefined {
  try {
    const { uid } = userInfo()
    return uid < 0 ? undefined : uid
  } catch {
    return undefined
  }
}
