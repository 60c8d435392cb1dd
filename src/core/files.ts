import { randomBytes } from 'node:crypto'
import { chmod, link, open, readFile, rename, rm } from 'node:fs/promises'
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

export interface WriteOptions {
  /** Defaults to 0600: nothing of ours is for others to read unless said so. */
  mode?: number
  /** Fail with EEXIST rather than replace. */
  exclusive?: boolean
}

/** Writes all or nothing: a reader sees the old file or the new one, and a crash leaves no half of either. */
export async function writeAtomic(path: string, data: string | Uint8Array, options: WriteOptions = {}): Promise<void> {
  const mode = options.mode ?? 0o600
  await makeFolder(dirname(path))
  const temporary = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = await open(temporary, 'wx', mode)
    try {
      await file.writeFile(data)
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
