/**
 * Finds and reads clouds.yaml, secure.yaml and clouds-public.yaml as openstacksdk does: the first readable file of
 * each.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, usage } from '../../core/errors.ts'
import type { World } from '../../core/world.ts'
import { envOf, openstackFolders, userPath } from '../paths.ts'
import { isMapping, type Mapping, readYamlFile, type YamlFile } from '../yaml/yaml-file.ts'

export interface CloudEntry {
  readonly file: YamlFile
  /** Its position in the file: `clouds` and its name. */
  readonly keys: readonly string[]
  /** A description for origins: `cloud prod`, `profile acme`. */
  readonly title: string
  readonly values: Mapping
}

export interface CloudFiles {
  /** Paths of the files that were read, clouds.yaml first. */
  readonly paths: readonly string[]
  readonly folders: readonly string[]
  readonly names: readonly string[]
  /** The entries of a cloud: from clouds.yaml, then from secure.yaml, which wins. */
  entries(name: string): CloudEntry[]
  /** A vendor's profile, from the user's clouds-public.yaml. */
  profile(name: string): Promise<CloudEntry | undefined>
  /** Problems that did not stop the reading: an unreadable file, a variable that names a missing one. */
  readonly notes: readonly string[]
}

const suffixes = ['.yaml', '.yml', '.json']
/** Reads the files on the first call, and caches the result. */
export type CloudReader = () => Promise<CloudFiles>

/** Shares one reading between choosing the mode, choosing the cloud and loading it. */
export function cloudReader(world: World): CloudReader {
  let reading: Promise<CloudFiles> | undefined
  return () => {
    reading ??= readCloudFiles(world)
    return reading
  }
}

export async function readCloudFiles(world: World): Promise<CloudFiles> {
  const folders = openstackFolders(world)
  const notes: string[] = []
  const [main, secure] = await Promise.all([
    firstReadable(world, folders, 'clouds', 'OS_CLIENT_CONFIG_FILE', notes),
    firstReadable(world, folders, 'secure', 'OS_CLIENT_SECURE_FILE', notes),
  ])
  const files = [main, secure].filter(f => f !== undefined)
  const sections = files.map(file => ({ file, clouds: section(file, 'clouds') }))
  notes.push(...files.flatMap(repeatNotes))
  return {
    paths: files.map(f => f.path),
    folders,
    notes,
    names: [...new Set(sections.flatMap(s => Object.keys(s.clouds)))],
    entries: name => sections.flatMap(({ file, clouds }) => entry(file, clouds, ['clouds', name], 'cloud') ?? []),
    async profile(name) {
      const file = await firstReadable(world, folders, 'clouds-public', undefined, notes)
      if (!file) return undefined
      notes.push(...repeatNotes(file))
      return entry(file, section(file, 'public-clouds'), ['public-clouds', name], 'profile')
    },
  }
}

function entry(file: YamlFile, all: Mapping, keys: readonly [string, string], kind: string): CloudEntry | undefined {
  const [, name] = keys
  if (!Object.hasOwn(all, name)) return undefined
  const repeated = file.repeatAt(keys)
  if (repeated) throw repeated
  const values = all[name] ?? {}
  if (isMapping(values)) return { file, keys, title: `${kind} ${name}`, values }
  throw usage(`${kind} "${name}" in ${at(file, keys)} does not hold keys and values`)
}

/** Repeated keys of other clouds only give a note, since those clouds are not in use. */
function repeatNotes({ repeats }: YamlFile): string[] {
  const [first, ...more] = repeats
  if (first === undefined) return []
  const others = more.length === 0 ? '' : more.length === 1 ? ', and one more key' : `, and ${more.length} more keys`
  return [`${first}${others}; the later value is used there, and the cloud in use is not affected`]
}

async function firstReadable(
  world: World,
  folders: readonly string[],
  stem: string,
  variable: string | undefined,
  notes: string[],
): Promise<YamlFile | undefined> {
  const named = variable && envOf(world, variable)
  const paths = folders.flatMap(folder => suffixes.map(suffix => join(folder, stem + suffix)))
  if (named) {
    paths.unshift(userPath(named, world))
    if (!existsSync(paths[0] as string)) notes.push(`${variable} names ${named}, which does not exist`)
  }
  for (const path of paths) {
    if (!existsSync(path)) continue
    try {
      return await readYamlFile(path, 'cloud configuration', { repeats: true, switches: ['insecure', 'verify'] })
    } catch (error) {
      // like openstacksdk: skips unreadable files, but not broken ones
      if (!['EACCES', 'EPERM', 'EISDIR', 'ENOENT'].includes(errorCode(error) ?? '')) throw error
      notes.push(`${path} was skipped: ${(error as Error).message}`)
    }
  }
  return undefined
}

function section(file: YamlFile, key: string): Mapping {
  const clouds = file.data[key] ?? {}
  if (isMapping(clouds)) return clouds
  throw usage(`"${key}" in ${at(file, [key])} does not hold clouds by their names`)
}

/** `file:line` of a key, or the file alone. */
export function at(file: YamlFile, keys: readonly (string | number)[]): string {
  const line = file.lineOf(keys)
  return line === undefined ? file.path : `${file.path}:${line}`
}
