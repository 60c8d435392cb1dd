/**
 * Loads the program's files with the code that V8 compiled for them in earlier runs: compiling took a third of the time of a short
 * command. (Node 22 can do this itself.) The cache is only a shortcut. If a cached file cannot be read, is damaged, belongs to
 * another Node, or is writable by other users, coe compiles the source as usual. If it cannot be written, coe goes on silently.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import nodeModule, { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { Script } from 'node:vm'
import { distrust, openOwn } from '../../core/own-file.ts'

export interface Code {
  load(file: string): unknown
  /** Stores the code compiled for this command, unless an earlier run of it did. */
  keep(command: string): void
}

export interface CodeOptions {
  /** Folder of the cache; undefined: no cache. */
  folder: string | undefined
  /** The user's id, on systems that have it: code that another user can write must not be run. */
  uid: number | undefined
}

/** A file of the program, compiled. */
interface Part {
  name: string
  script: Script
  /** Commands whose functions are compiled in the cached code. */
  commands: readonly string[]
}

interface Module {
  exports: unknown
}

type Body = (exports: unknown, require: (id: string) => unknown, module: Module, file: string, folder: string) => void

const monthMs = 30 * 24 * 3_600_000

export function openCode({ folder, uid }: CodeOptions): Code {
  const enable = (nodeModule as { enableCompileCache?: (folder: string) => unknown }).enableCompileCache
  const trusted = folder !== undefined && distrust(folder, uid) === undefined
  if (!trusted || enable) {
    if (trusted) enable?.(folder)
    return { load: file => createRequire(file)(file), keep: () => {} }
  }
  const modules = new Map<string, Module>()
  const parts: Part[] = []

  function load(file: string): unknown {
    const known = modules.get(file)
    if (known) return known.exports
    const module: Module = { exports: {} }
    modules.set(file, module)
    const required = createRequire(file)
    const body = compiled(file).runInThisContext() as Body
    const inside = (id: string) => (hashed(id) ? load(resolve(dirname(file), id)) : required(id))
    body(module.exports, inside, module, file, dirname(file))
    return module.exports
  }

  function compiled(file: string): Script {
    const name = basename(file)
    const kept = hashed(name) ? readKept(join(folder as string, name), uid) : undefined
    const script = new Script(
      `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'utf8')}\n})`,
      {
        filename: file,
        ...(kept ? { cachedData: kept.data } : {}),
      },
    )
    if (hashed(name)) parts.push({ name, script, commands: kept && !script.cachedDataRejected ? kept.commands : [] })
    return script
  }

  function keep(command: string): void {
    const grown = parts.filter(part => !part.commands.includes(command))
    if (command === '' || grown.length === 0) return
    try {
      makeFolder(folder as string)
      for (const part of grown) writeKept(join(folder as string, part.name), part, command)
      forgetOld(folder as string)
    } catch {
      // it cannot be stored: the next run compiles again
    }
  }
  return { load, keep }
}

/** As in core/folder.ts: Node's own `recursive` never ends if an existing folder cannot be written. */
function makeFolder(path: string): void {
  const make = () => {
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  try {
    make()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    makeFolder(dirname(path))
    make()
  }
}

/**
 * V8 recognises a changed source only by its length, so coe relies on a name that changes with the content.
 * Node loads files without such a name.
 */
const hashed = (name: string): boolean => /-[\w-]{8}\.cjs$/.test(name)

const format = 'coe-code-1'
const digestOf = (commands: string, data: Uint8Array): string =>
  createHash('sha256').update(commands).update(data).digest('base64url')

/**
 * A line with the format, a digest and the commands, then V8's data. The digest is needed because V8 runs damaged data without
 * checking it.
 */
function readKept(file: string, uid: number | undefined): { commands: string[]; data: Buffer } | undefined {
  const { data: content } = openOwn(file, uid)
  const end = content?.indexOf('\n') ?? -1
  if (content === undefined || end < 0) return undefined
  const [, known, digest, commands = ''] = /^(\S+) (\S+) (.*)$/.exec(content.toString('utf8', 0, end)) ?? []
  const data = content.subarray(end + 1)
  if (known !== format || digest !== digestOf(commands, data)) return undefined
  return { commands: commands.split(','), data }
}

function writeKept(file: string, { script, commands }: Part, command: string): void {
  const next = `${file}.${Math.random().toString(36).slice(2)}`
  try {
    const all = [...commands, command].join(',')
    const data = script.createCachedData()
    const head = `${format} ${digestOf(all, data)} ${all}\n`
    writeFileSync(next, Buffer.concat([Buffer.from(head), data]), { mode: 0o600, flag: 'wx' })
    renameSync(next, file) // a concurrent run reads the old file or the new one, never half of one
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}

/** Deletes code of older versions of the program. */
function forgetOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (Date.now() - statSync(file).mtimeMs > monthMs) rmSync(file, { force: true })
  }
}
