/** A temporary home and a World in it, for tests that read and write real files. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { CoeError } from '../../../src/core/errors.ts'
import { systemClock } from '../../../src/core/time.ts'
import type { World } from '../../../src/core/world.ts'

export interface Place {
  /** The home folder, which is the working folder's parent. */
  home: string
  cwd: string
  /** A World with only these variables. */
  world(env?: Record<string, string>, more?: Partial<World>): World
  /** Writes a file under home and returns its path. */
  file(path: string, text: string, mode?: number): Promise<string>
  read(path: string): Promise<string>
}

/**
 * Exists for one test. (A hook in this file would run for the first test file only, because workers load this module
 * once.)
 */
export async function makePlace(): Promise<Place> {
  const home = await mkdtemp(join(tmpdir(), 'coe-config-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const cwd = join(home, 'work')
  await mkdir(cwd)
  return {
    home,
    cwd,
    world: (env = {}, more = {}) => ({
      // XDG_CONFIG_DIRS keeps the machine's clouds.yaml out of the tests
      env: { XDG_CONFIG_DIRS: join(home, 'site'), ...env },
      cwd,
      home,
      platform: 'linux',
      pid: process.pid,
      hostname: 'here',
      clock: systemClock,
      ...more,
    }),
    async file(path, text, mode = 0o600) {
      const full = join(home, path)
      await mkdir(dirname(full), { recursive: true })
      await writeFile(full, text, { mode })
      return full
    },
    read: path => readFile(join(home, path), 'utf8'),
  }
}

/** The CoeError that the work throws; any other result fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<CoeError> {
  try {
    await work
  } catch (error) {
    if (error instanceof CoeError) return error
    throw error
  }
  throw new Error('it was expected to fail, and did not')
}
