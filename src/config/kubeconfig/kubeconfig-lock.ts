/** kubectl's lock, `<file>.lock`, created exclusively and held for the milliseconds of a change. */
import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CoeError, conflict, errorCode, failed } from '../../core/errors.ts'
import { readIfExists, writeAtomic } from '../../core/files.ts'
import { poll } from '../../core/poll.ts'
import { shellWord } from '../../core/shell-word.ts'
import { formatDuration } from '../../core/time.ts'
import type { World } from '../../core/world.ts'

interface Holder {
  program: 'coe'
  pid: number
  host: string
}

export interface LockOptions {
  /** How long to wait for another process's lock. */
  patienceMs?: number
}

/** Runs `work` under the locks of all files, which are taken in a fixed order so that two runs cannot deadlock. */
export async function withLocks<T>(
  world: World,
  files: readonly string[],
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const held: string[] = []
  try {
    for (const file of [...new Set(files)].sort()) {
      const lock = `${file}.lock`
      await take(world, file, lock, options)
      held.push(lock)
    }
    return await work()
  } finally {
    for (const lock of held) await rm(lock, { force: true })
  }
}

async function take(world: World, file: string, lock: string, options: LockOptions): Promise<void> {
  const patienceMs = options.patienceMs ?? 3_000
  const content = JSON.stringify({ program: 'coe', pid: world.pid, host: world.hostname } satisfies Holder)
  try {
    await poll(
      async () => {
        try {
          await writeAtomic(lock, content, { exclusive: true })
          return true
        } catch (error) {
          if (errorCode(error) !== 'EEXIST') throw error
          await stat(dirname(lock)).then(folder => {
            if (!folder.isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
          })
          await breakStale(world, lock)
          return undefined
        }
      },
      { clock: world.clock, timeoutMs: patienceMs, intervalMs: 25, maxIntervalMs: 200, what: 'the lock' },
    )
  } catch (error) {
    if (error instanceof CoeError && error.outcome === 'timeout') throw await lockedError(world, file, lock)
    const code = errorCode(error)
    if (!code) throw error
    throw failed(`cannot lock ${file} for a change: its folder cannot be written to (${code})`, {
      hint: 'use a kubeconfig in a folder of yours: KUBECONFIG or --kubeconfig',
      cause: error,
      details: { file, code },
    })
  }
}

function holderOf(content: string): Holder | undefined {
  try {
    const holder = JSON.parse(content) as Partial<Holder> | null
    return holder?.program === 'coe' && typeof holder.pid === 'number' ? (holder as Holder) : undefined
  } catch {
    return undefined // kubectl leaves its lock empty
  }
}

/** Empty if the lock has gone meanwhile. */
async function contentOf(lock: string): Promise<string> {
  try {
    return (await readIfExists(lock)) ?? ''
  } catch (error) {
    if (errorCode(error) === 'EACCES') return '' // another user's lock
    throw error
  }
}

/** Removes a lock only if coe made it on this machine and its process has ended. */
async function breakStale(world: World, lock: string): Promise<void> {
  const content = await contentOf(lock)
  const holder = holderOf(content)
  if (!holder || holder.host !== world.hostname || world.isRunning?.(holder.pid) !== false) return
  // moves the lock aside first: another process may have broken the stale lock and taken a new one by now
  const aside = `${lock}.${randomBytes(4).toString('hex')}`
  try {
    await rename(lock, aside)
    if ((await readFile(aside, 'utf8')) !== content) await link(aside, lock).catch(() => {})
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  } finally {
    await rm(aside, { force: true })
  }
}

async function lockedError(world: World, file: string, lock: string): Promise<CoeError> {
  const holder = holderOf(await contentOf(lock))
  const since = await stat(lock).then(
    s => ` for ${formatDuration(Math.max(0, world.clock.now() - s.mtimeMs))}`,
    () => '',
  )
  const who = holder ? `coe (process ${holder.pid} on ${holder.host})` : 'another program'
  return conflict(`${file} is locked by ${who}${since}`, {
    hint: `if nothing is changing it, remove the lock: rm ${shellWord(lock)}`,
    details: { file, lock },
  })
}
