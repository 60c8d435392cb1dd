/** Copies an example from docs/drivers under a new name, so that the result matches the documentation. */
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conflict, errorCode, failed } from '../../core/errors.ts'
import { readIfExists } from '../../core/files.ts'

export interface Scaffold {
  folder: string
  files: string[]
  writableByOthers: boolean
}

/** The examples use these as their driver names. */
const examples = { clusters: 'shelf_v1', federations: 'roster_v1' } as const
const types = 'coe.d.ts'

export async function scaffold(parent: string, name: string, provides: keyof typeof examples): Promise<Scaffold> {
  const example = examples[provides]
  return scaffoldFrom(join(await examplesFolder(), example), parent, name, text => renamed(text, example, name))
}

/** @param adapted changes the text of a file */
export async function scaffoldFrom(
  source: string,
  parent: string,
  name: string,
  adapted: (text: string, file: string) => string,
): Promise<Scaffold> {
  const root = await examplesFolder()
  const entries = await readdir(source, { withFileTypes: true, recursive: true })
  const files = entries.filter(e => e.isFile()).map(e => relative(source, join(e.parentPath, e.name)))
  files.sort()
  const folder = join(parent, name)
  try {
    // readable by all and writable only by the owner, whatever the umask: coe refuses other folders
    await mkdir(parent, { recursive: true })
    for (const each of foldersOf(files)) await makeFolder(join(folder, each))
    for (const file of files) await put(join(folder, file), adapted(await readFile(join(source, file), 'utf8'), file))
    await put(join(folder, types), await readFile(join(root, types), 'utf8'))
  } catch (error) {
    throw writeError(error, folder)
  }
  const { mode } = await stat(parent)
  return { folder, files: [...files, types], writableByOthers: (mode & 0o022) !== 0 }
}

/** Each after the one that it is in; "." is the driver's own. */
function foldersOf(files: readonly string[]): string[] {
  const all = new Set(['.'])
  const add = (folder: string) => {
    if (folder === '.') return
    add(dirname(folder))
    all.add(folder)
  }
  for (const file of files) add(dirname(file))
  return [...all]
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path)
  await chmod(path, 0o755)
}

export async function put(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: 'wx' })
  await chmod(path, 0o644)
}

/** Replaces `roster_v1` and, in names without a generation (a prefix, names of objects), `roster`. */
function renamed(text: string, example: string, name: string): string {
  const short = (full: string) => full.replace(/_v\d+$/, '').replaceAll('_', '')
  return text
    .replaceAll(example, name)
    .replaceAll(short(example), short(name))
    .replaceAll(short(example).toUpperCase(), short(name).toUpperCase())
}

/** The nearest docs/drivers above this file, for the sources as for the bundle. */
async function examplesFolder(): Promise<string> {
  const here = fileURLToPath(import.meta.url)
  for (let at = dirname(here); at !== dirname(at); at = dirname(at)) {
    const folder = join(at, 'docs', 'drivers')
    if ((await readIfExists(join(folder, types))) !== undefined) return folder
  }
  throw failed('this installation of coe has no docs/drivers, from which new drivers are made', {
    hint: 'install the complete package',
  })
}

function writeError(error: unknown, folder: string): Error {
  const code = errorCode(error)
  if (code === 'EEXIST') {
    return conflict(`${folder} exists already; nothing in it was changed`, { hint: 'use another name or --dir' })
  }
  if (code === undefined) return error as Error
  return failed(`cannot write ${folder} (${code})`, { cause: error })
}
