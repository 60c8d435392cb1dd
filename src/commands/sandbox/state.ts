/** Which sandbox runs in the background: a small file that `start` writes and `stop` follows. */
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
  /** Tells our process from another one that got its number later. */
  started: string
  folder: string
  env: Record<string, string>
  /** What it was told to be like. */
  like: Record<string, unknown>
}

const folderPrefix = 'coe-sandbox-'
export const sandboxFolder = join(tmpdir(), folderPrefix)

/** A process is ended and a folder removed by what stands here. */
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

/** Within a sandbox the folders are its own, so its shells are told where the file is. */
export const stateFile = (world: World): string => {
  const { COE_SANDBOX: known } = world.env
  // the folder for temporary files is everybody's
  const folder = coePaths(world).state ?? join(tmpdir(), `coe-${world.uid ?? 'state'}`)
  return known?.endsWith('.json') ? known : join(folder, 'sandbox.json')
}

/** When a process began, as the kernel tells; undefined when there is none, or the system does not say. */
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
  throw failed(`where the sandbox runs cannot be kept in ${file}: ${why}`, {
    hint: 'chmod go-w its folder, or name another with COE_STATE_DIR: who can write there could have "coe sandbox stop" end any process',
  })
}

/** The sandbox that runs; one that died leaves no trace but its files, which go. */
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
