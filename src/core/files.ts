import { randomBytes } from 'node:crypto'
import { chmod, link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from './folder.ts'

/** The text of a file, or undefined if it does not exist. Other failures (permissions, a folder) throw. */
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
  /** Defaults to 0600: other users may read our files only where a caller says so. */
  mode?: number
  /** The owner of the file. Fails with EPERM if we may not give it away. */
  owner?: { uid: number; gid: number } | undefined
  /** Fail with EEXIST rather than replace the file. */
  exclusive?: boolean
}

/** Writes a file atomically: a reader sees either the old or the new content, even after a crash. */
export async function writeAtomic(path: string, data: string | Uint8Array, options: WriteOptions = {}): Promise<void> {
  const mode = options.mode ?? 0o600
  await makeFolder(dirname(path))
  const temporary = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`)
  try {
    // readable by its owner alone until the ownership is right
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
    await chmod(temporary, mode) // the umask may have cleared requested bits
    if (options.exclusive) {
      await link(temporary, path) // link refuses to replace a file, unlike rename
      await rm(temporary)
    } else await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
