/**
 * Names that a server told when Tab was pressed, kept for half a minute: who presses Tab once presses it again, and a server's
 * answer is most of what they wait for. Whatever could make them other names is in the key, and each change drops them all.
 */
import { createHash } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { kubeconfigPaths } from '../../config/kubeconfig/kubeconfig.ts'
import { coePaths, openstackFolders, under } from '../../config/paths.ts'
import { type JsonFileFormat, readJsonFile, writeJsonFile } from '../../core/json-file.ts'
import { list, number, text } from '../../core/shape.ts'
import type { World } from '../../core/world.ts'
import type { Completion } from '../spec.ts'

const keptMs = 30_000

interface Kept {
  at: number
  names: string[]
}

const namesFile: JsonFileFormat = { format: 1, fields: { at: number, names: list(text) } }

export interface Question {
  kind: Completion
  given: { positionals: readonly string[]; options: ReadonlyMap<string, string> }
}

/** What was answered to this question a moment ago, else what `ask` answers. Without a cache folder: always the latter. */
export async function keepNames(world: World, question: Question, ask: () => Promise<string[]>): Promise<string[]> {
  const folder = namesFolder(world)
  if (folder === undefined) return ask()
  const path = join(folder, `${await keyOf(world, question)}.json`)
  const kept = readJsonFile<Kept>(path, namesFile, world)
  const age = kept && world.clock.now() - kept.at
  if (kept && age !== undefined && age >= 0 && age < keptMs) return kept.names
  const names = await ask()
  await writeJsonFile(path, namesFile, { at: world.clock.now(), names } satisfies Kept).catch(() => {})
  return names
}

/** After a change, nobody shall be offered what is gone, or miss what is new. */
export async function forgetNames(world: World): Promise<void> {
  const folder = namesFolder(world)
  if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {})
}

const namesFolder = (world: World) => under(coePaths(world).cache, 'names')

/** Which server is asked, and as whom, hangs on the line, the environment, and files that a person may edit at any time. */
async function keyOf(world: World, { kind, given }: Question): Promise<string> {
  const variables = Object.entries(world.env).filter(([name]) => /^(OS_|COE_|KUBECONFIG$)/.test(name))
  const config = under(coePaths(world).config, 'config.yaml')
  const clouds = openstackFolders(world).flatMap(f => [join(f, 'clouds.yaml'), join(f, 'secure.yaml')])
  const named = [world.env.OS_CLIENT_CONFIG_FILE, config].filter(path => path !== undefined)
  const files = [...named, ...kubeconfigPaths(world, { kubeconfig: given.options.get('kubeconfig') }), ...clouds]
  const stamps = await Promise.all(files.map(stampOf))
  const parts = [kind, given.positionals, [...given.options].sort(), variables.sort(), world.cwd, stamps]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)
}

const stampOf = (path: string): Promise<string | undefined> =>
  stat(path).then(
    found => `${path} ${found.mtimeMs} ${found.size}`,
    () => undefined,
  )
