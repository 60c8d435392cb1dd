/**
 * Loads the program's files with the code that V8 compiled for them in earlier runs: compiling was a third of what a short
 * command costs. (Node 22 can do this itself.) What was kept is only ever a shortcut: where it cannot be read, is of another
 * Node, was damaged, or could be written by somebody else, the file is compiled as ever; where it cannot be written, nothing is said.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import nodeModule, { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { Script } from 'node:vm'
import { distrust, openOwn } from '../../core/own-file.ts'

export interface Code {
  load(file: string): unknown
  /** Keeps what was compiled for this command, unless an earlier run of it did. */
  keep(command: string): void
}

export interface CodeOptions {
  /** Where it is kept; undefined: nowhere. */
  folder: string | undefined
  /** Of the user who runs us, where users have numbers: code that another can write, another can make us run. */
  uid: number | undefined
}

/** A file of the program, compiled. */
interface Part {
  name: string
  script: Script
  /** The commands that made it grow: what they called is compiled in it. */
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
      // no place to keep it: the next run compiles again
    }
  }
  return { load, keep }
}

/** As core/folder.ts: Node's own `recursive` never ends where nothing can be made in a folder that is there. */
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
 * V8 tells an old file from a new one by its length alone; a name that changes with the content tells it for sure.
 * Files without such a name are loaded by Node.
 */
const hashed = (name: string): boolean => /-[\w-]{8}\.cjs$/.test(name)

const format = 'coe-code-1'
const digestOf = (commands: string, data: Uint8Array): string =>
  createHash('sha256').update(commands).update(data).digest('base64url')

/**
 * A line with the format, a digest and the commands, then what V8 gave. V8 itself does not look whether its data was damaged, and
 * runs it.
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
    renameSync(next, file) // a run beside us sees the old one or the new one
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}

/** Of programs that were replaced since. */
function forgetOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (Date.now() - statSync(file).mtimeMs > monthMs) rmSync(file, { force: true })
  }
}
