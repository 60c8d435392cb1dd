/** Which sandbox runs in the background: a small file that `start` writes and `stop` follows. */
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coePaths } from '../../config/paths.ts'
import { readIfExists, writeAtomic } from '../../core/files.ts'
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

/** Within a sandbox the folders are its own, so its shells are told where the file is. */
export const stateFile = (world: World): string => {
  const { COE_SANDBOX: known } = world.env
  return known?.endsWith('.json') ? known : join(coePaths(world).state ?? tmpdir(), 'sandbox.json')
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
  await writeAtomic(stateFile(world), JSON.stringify(running))
}

/** The sandbox that runs; one that died leaves no trace but its files, which go. */
export async function readRunning(world: World): Promise<RunningSandbox | undefined> {
  const text = await readIfExists(stateFile(world))
  if (text === undefined) return undefined
  const running = JSON.parse(text) as RunningSandbox
  if ((await startOf(running.pid)) === running.started) return running
  await forget(world, running)
  return undefined
}

export async function forget(world: World, running: RunningSandbox): Promise<void> {
  await rm(stateFile(world), { force: true })
  await rm(running.folder, { recursive: true, force: true })
}
