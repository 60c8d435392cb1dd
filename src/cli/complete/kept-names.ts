/**
 * Names for completion, cached for half a minute: users press Tab several times in a row, and most of the delay is the server's
 * answer. The key contains everything that could lead to other names, and each change drops them all.
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
  line: { positionals: readonly string[]; options: ReadonlyMap<string, string> }
}

/** The cached answer to this question, else that of `ask`. Without a cache folder always the latter. */
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

/** Called after a change, so that completion does not show deleted names or miss new ones. */
export async function forgetNames(world: World): Promise<void> {
  const folder = namesFolder(world)
  if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {})
}

const namesFolder = (world: World) => under(coePaths(world).cache, 'names')

/** Which server is queried, and as which user, depends on the line, the environment, and files that the user may edit at any time. */
async function keyOf(world: World, { kind, line }: Question): Promise<string> {
  const variables = Object.entries(world.env).filter(([name]) => /^(OS_|COE_|KUBECONFIG$)/.test(name))
  const config = under(coePaths(world).config, 'config.yaml')
  const clouds = openstackFolders(world).flatMap(f => [join(f, 'clouds.yaml'), join(f, 'secure.yaml')])
  const named = [world.env.OS_CLIENT_CONFIG_FILE, config].filter(path => path !== undefined)
  const files = [...named, ...kubeconfigPaths(world, { kubeconfig: line.options.get('kubeconfig') }), ...clouds]
  const stamps = await Promise.all(files.map(stampOf))
  const parts = [kind, line.positionals, [...line.options].sort(), variables.sort(), world.cwd, stamps]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)
}

const stampOf = (path: string): Promise<string | undefined> =>
  stat(path).then(
    found => `${path} ${found.mtimeMs} ${found.size}`,
    () => undefined,
  )
