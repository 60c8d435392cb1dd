/** The file about the sandbox in the background, which `start` writes and `stop` reads. */
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'
import { coePaths } from '../../config/paths.ts'
import { failed } from '../../core/errors.ts'
import { type JsonFileFormat, readJsonFile, writeJsonFile } from '../../core/json-file.ts'
import { whyUnused } from '../../core/own-file.ts'
import { record, scalar, text, textLike } from '../../core/shape.ts'
import type { World } from '../../core/world.ts'

export interface RunningSandbox {
  pid: number
  /** When the process started, because another process may get the same number later. */
  started: string
  folder: string
  env: Record<string, string>
  /** The options that it was started with. */
  like: Record<string, unknown>
}

const folderPrefix = 'coe-sandbox-'
export const sandboxFolder = join(tmpdir(), folderPrefix)

/** Strict, because `stop` ends the process and removes the folder that the file names. */
const format: JsonFileFormat = {
  format: 1,
  fields: {
    pid: value => (Number.isInteger(value) && (value as number) > 1 ? undefined : notAPid),
    started: text,
    folder: textLike('the folder of a sandbox', value => isAbsolute(value) && basename(value).startsWith(folderPrefix)),
    env: record(text),
    like: record(scalar),
  },
}
const notAPid = { path: '', expected: 'the number of a process', found: 'something else' }

/** A sandbox has its own folders, so its environment names the file. */
export const stateFile = (world: World): string => {
  const { COE_SANDBOX: known } = world.env
  // all users share the folder for temporary files
  const folder = coePaths(world).state ?? join(tmpdir(), `coe-${world.uid ?? 'state'}`)
  return known?.endsWith('.json') ? known : join(folder, 'sandbox.json')
}

/** When a process started, in the kernel's units; undefined without such a process, or on systems without /proc. */
export async function startOf(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

export async function writeRunning(world: World, running: RunningSandbox): Promise<void> {
  const file = stateFile(world)
  await writeJsonFile(file, format, running)
  const why = whyUnused(file, world.uid)
  if (why === undefined) return
  await rm(file, { force: true })
  throw failed(`coe cannot remember the sandbox in ${file}: ${why}`, {
    hint: 'chmod go-w its folder, or name another with COE_STATE_DIR: users who can write there could make "coe sandbox stop" end any process',
  })
}

/** The running sandbox. Removes the files of a sandbox that died. */
export async function readRunning(world: World): Promise<RunningSandbox | undefined> {
  const running = readJsonFile<RunningSandbox>(stateFile(world), format, world)
  if (running === undefined) return undefined
  if ((await startOf(running.pid)) === running.started) return running
  await forget(world, running)
  return undefined
}

export async function forget(world: World, running: RunningSandbox): Promise<void> {
  await rm(stateFile(world), { force: true })
  await rm(running.folder, { recursive: true, force: true })
}
