/**
 * Files that coe keeps between runs: tokens, compiled code, names, notes. Whoever can write one decides what the next run believes,
 * sends or runs, so one is used only where nobody else can have written it.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'

export type OwnFile =
  | { data: Buffer }
  /** Why it is not used; absent when there is none. */
  | { data?: undefined; why?: string }

/** More than anything that is kept. */
const largest = 64 * 1024 * 1024

/** A link is not followed, and a pipe is not waited for. Windows has neither word. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** @param uid of the user who runs us; undefined where users have no numbers, which is where modes mean nothing, too */
export function openOwn(path: string, uid: number | undefined): OwnFile {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, openFlags)
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) return { why: 'it is no regular file' }
    if (stat.size > largest) return { why: 'it is far too large' }
    if (uid !== undefined) {
      if (stat.uid !== uid) return { why: 'it belongs to another user' }
      if (writableByOthers(stat)) return { why: 'others can write it' }
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

/** Why nothing in a folder is used; undefined also when there is no such folder yet. */
export function distrust(folder: string, uid: number | undefined): string | undefined {
  if (uid === undefined) return undefined
  let stat: Stats
  try {
    stat = statSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : `its folder cannot be looked at (${code})`
  }
  if (stat.uid !== uid && stat.uid !== 0) return 'its folder belongs to another user'
  return writableByOthers(stat) ? 'others can write its folder' : undefined
}

const writableByOthers = ({ mode }: Stats): boolean => (mode & 0o022) !== 0
