/**
 * Files that coe keeps between runs: tokens, compiled code, names, notes. Their content decides what the next run
 * believes, sends or executes, so a file is used only if no other user can have written it.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'

export type OwnFile =
  | { data: Buffer }
  /** Why the file is not used; absent if there is no file. */
  | { data?: undefined; why?: string }

/** Larger than any file that coe keeps. */
const largest = 64 * 1024 * 1024

/** Does not follow a link or wait for a pipe. Windows has neither flag. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** @param uid of the user who runs coe; undefined on platforms without user ids, where file modes mean nothing either */
export function openOwn(path: string, uid: number | undefined): OwnFile {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, openFlags)
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) return { why: 'it is not a regular file' }
    if (stat.size > largest) return { why: 'it is far too large' }
    if (uid !== undefined) {
      if (stat.uid !== uid) return { why: 'it belongs to another user' }
      if (writableByOthers(stat)) return { why: 'other users can write it' }
      const why = distrust(dirname(path), uid)
      if (why) return { why }
    }
    return { data: readFileSync(descriptor) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return {}
    return { why: code === 'ELOOP' || code === 'EMLINK' ? 'it is a symbolic link' : `it cannot be read (${code})` }
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

export const whyUnused = (path: string, uid: number | undefined): string | undefined =>
  (openOwn(path, uid) as { why?: string }).why

/** Why no file in a folder is used; undefined also if the folder does not exist yet. */
export function distrust(folder: string, uid: number | undefined): string | undefined {
  if (uid === undefined) return undefined
  let stat: Stats
  try {
    stat = statSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : `its folder cannot be read (${code})`
  }
  if (stat.uid !== uid && stat.uid !== 0) return 'its folder belongs to another user'
  return writableByOthers(stat) ? 'other users can write to its folder' : undefined
}

const writableByOthers = ({ mode }: Stats): boolean => (mode & 0o022) !== 0
