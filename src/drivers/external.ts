/** Finds and loads external drivers. Their code runs with the user's rights, so their files are checked before they are loaded. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type CoeError, errorCode, failed, usage } from '../core/errors.ts'
import { readIfExists } from '../core/files.ts'
import { importModule } from '../core/import-module.ts'
import { type DriverCommand, driverCommands } from '../model/driver-option.ts'
import type { Driver, DriverApi, MakeDriver } from './driver-api.ts'
import { refuseWritable, refuseWritableIn } from './writable.ts'

export interface Found {
  /** The name of the folder: the driver's own name is known only after it is loaded. */
  name: string
  folder: string
  source: 'folder' | 'package'
  /** Why the driver must not be loaded. */
  refused?: CoeError
}

const packagePrefix = 'coe-driver-'

/** Finds drivers in the configured folders and among the packages that are installed beside coe. */
export async function findExternal(folders: readonly string[], packages: string | undefined): Promise<Found[]> {
  const named = await Promise.all(folders.map(driversIn))
  const installed = packages === undefined ? [] : await packagesIn(packages)
  return [...named.flat(), ...installed]
}

/** Every folder inside `folder` is a driver. */
async function driversIn(folder: string): Promise<Found[]> {
  try {
    await refuseWritable(folder)
    const entries = await readdir(folder, { withFileTypes: true })
    const names = entries
      .filter(e => (e.isDirectory() || e.isSymbolicLink()) && !e.name.startsWith('.'))
      .map(e => e.name)
    return await Promise.all(names.sort().map(name => checked(name, join(folder, name), 'folder')))
  } catch (error) {
    return [{ name: folder, folder, source: 'folder', refused: asRefusal(folder, error) }]
  }
}

async function packagesIn(folder: string): Promise<Found[]> {
  const names = await readdir(folder).catch(() => [])
  return Promise.all(
    names
      .filter(name => name.startsWith(packagePrefix))
      .sort()
      .map(name => checked(name, join(folder, name), 'package')),
  )
}

async function checked(name: string, folder: string, source: Found['source']): Promise<Found> {
  try {
    await refuseWritable(folder)
    return { name, folder, source }
  } catch (error) {
    return { name, folder, source, refused: asRefusal(folder, error) }
  }
}

function asRefusal(path: string, error: unknown): CoeError {
  const code = errorCode(error)
  if (code === 'ENOENT') return usage(`the driver folder ${path} does not exist`, { hint: 'check drivers.folders' })
  if (code !== undefined) return failed(`cannot read the driver folder ${path} (${code})`, { cause: error })
  return error as CoeError
}

export async function loadExternal({ folder, refused }: Found, coe: DriverApi): Promise<Driver> {
  if (refused) throw refused
  try {
    const entry = await entryOf(folder)
    await refuseWritableIn(folder)
    const module = (await importModule(pathToFileURL(entry).href)) as { default?: unknown }
    if (typeof module.default !== 'function') throw new Error('its default export is not a function')
    const driver = (module.default as MakeDriver)(coe) as unknown
    const wrong = problemOf(driver)
    if (wrong) throw new Error(wrong)
    return driver as Driver
  } catch (error) {
    if (error instanceof Error && error.name === 'CoeError') throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw failed(`the driver in ${folder} cannot be loaded: ${reason}`, {
      hint: 'fix it, remove it, or leave it out with drivers.disabled',
      cause: error,
    })
  }
}

async function entryOf(folder: string): Promise<string> {
  const text = await readIfExists(join(folder, 'package.json'))
  const main = text === undefined ? undefined : mainOf(JSON.parse(text))
  if (main) return resolve(folder, main)
  for (const name of ['driver.js', 'driver.mjs', 'index.js']) {
    const path = join(folder, name)
    if ((await readFile(path).catch(() => undefined)) !== undefined) return path
  }
  throw new Error('there is no package.json with "main", and no driver.js')
}

function mainOf(manifest: { main?: unknown; exports?: unknown }): string | undefined {
  if (typeof manifest.exports === 'string') return manifest.exports
  return typeof manifest.main === 'string' ? manifest.main : undefined
}

function problemOf(driver: unknown): string | undefined {
  if (typeof driver !== 'object' || driver === null) return 'its function returned no driver'
  const { name, version, title, provides, options, federations, clusters } = driver as Partial<Driver>
  if (typeof name !== 'string' || !/^[a-z][a-z0-9]*(_[a-z0-9]+)*_v\d+$/.test(name)) {
    return `its name must be like example_v1, not ${JSON.stringify(name)}`
  }
  if (typeof version !== 'string' || !/^\d+\.\d+\.\d+/.test(version)) return 'its version must be like 1.0.0'
  if (typeof title !== 'string' || !Array.isArray(provides)) return 'it needs a title and a list "provides"'
  if (!Array.isArray(options)) return 'its options must be a list'
  const lost = options.find(
    option => !option.commands?.length || option.commands.some((c: DriverCommand) => !driverCommands.includes(c)),
  )
  if (lost) return `its option "${lost.name}" needs a list "commands", with any of: ${driverCommands.join(', ')}`
  if (provides.includes('federations') && !federations) return 'it provides federations but has no "federations"'
  if (federations && typeof federations.open !== 'function')
    return 'its federations have no "open": see docs/drivers.md'
  if (provides.includes('clusters') && !clusters) return 'it provides clusters but has no "clusters"'
  return undefined
}

/** The node_modules folder that coe is installed in; undefined if coe runs from a clone. */
export function besideCoe(here = fileURLToPath(import.meta.url)): string | undefined {
  for (let folder = dirname(here); folder !== dirname(folder); folder = dirname(folder)) {
    if (folder.endsWith(`node_modules`)) return folder
  }
  return undefined
}
