import { randomBytes } from 'node:crypto'
import { chmod, link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from './folder.ts'

/** The text of a file, or undefined when there is none. Other failures (rights, a folder) throw. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

export const othersMayRead = async (path: string): Promise<boolean> => ((await stat(path)).mode & 0o077) !== 0

export interface WriteOptions {
  /** Defaults to 0600: nothing of ours is for others to read unless said so. */
  mode?: number
  /** Whom the file is to belong to. Fails with EPERM where it cannot be given to them. */
  owner?: { uid: number; gid: number } | undefined
  /** Fail with EEXIST rather than replace. */
  exclusive?: boolean
}

/** Writes all or nothing: a reader sees the old file or the new one, and a crash leaves no half of either. */
export async function writeAtomic(path: string, data: string | Uint8Array, options: WriteOptions = {}): Promise<void> {
  const mode = options.mode ?? 0o600
  await makeFolder(dirname(path))
  const temporary = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`)
  try {
    // its owner's alone until it belongs to whom it should
    const file = await open(temporary, 'wx', mode & 0o600)
    try {
      await file.writeFile(data)
      const { owner } = options
      const now = owner && (await file.stat())
      if (now && (now.uid !== owner.uid || now.gid !== owner.gid)) await file.chown(owner.uid, owner.gid)
      await file.sync()
    } finally {
      await file.close()
    }
    await chmod(temporary, mode) // the umask may have taken bits that the caller asked for
    if (options.exclusive) {
      await link(temporary, path) // unlike rename, refuses to replace
      await rm(temporary)
    } else await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
