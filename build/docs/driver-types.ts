/**
 * Makes docs/drivers/coe.d.ts: all types that src/drivers/driver-api.ts refers to, in one file. rolldown's oxc makes the
 * declarations of each source file; this module collects those that are reached, with their comments.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isolatedDeclarationSync, parseSync } from 'rolldown/experimental'

const entry = 'src/drivers/driver-api.ts'

const head = `/**
 * The interface of drivers, and what coe provides to them. "coe driver init" copies this file into a new driver; it contains only types.
 * Later versions of coe add to these interfaces, but remove nothing. Generated from coe's sources by "npm run docs".
 */
`

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

interface Declaration {
  file: string
  name: string
  text: string
  /** Names of types that it refers to. */
  mentions: ReadonlySet<string>
}

interface Module {
  declarations: ReadonlyMap<string, Declaration>
  /** Local name → where it comes from. */
  imports: ReadonlyMap<string, { file: string; name: string }>
  /** Exported names, in order. */
  exports: readonly string[]
}

export function driverTypes(root = process.cwd()): string {
  const modules = new Map<string, Module>()
  const moduleAt = (file: string): Module => {
    const known = modules.get(file) ?? readModule(root, file)
    modules.set(file, known)
    return known
  }
  const found = new Map<string, Declaration>()
  const reach = (file: string, name: string): Declaration[] => {
    const { declarations, imports } = moduleAt(file)
    const from = imports.get(name)
    if (from) return reach(from.file, from.name)
    const declaration = declarations.get(name)
    if (!declaration) return []
    const sameName = found.get(name)
    if (sameName && sameName.file !== file) {
      throw new Error(`drivers would see two types "${name}": of ${sameName.file} and of ${file}. Rename one`)
    }
    if (sameName) return []
    found.set(name, declaration)
    return [declaration]
  }
  // breadth first, so that the main types stand before the types they consist of
  let next = moduleAt(entry).exports.flatMap(name => reach(entry, name))
  while (next.length > 0) next = next.flatMap(({ file, mentions }) => [...mentions].flatMap(name => reach(file, name)))
  return formatted(root, head + [...found.values()].map(({ text }) => `\n${text}\n`).join(''))
}

function readModule(root: string, file: string): Module {
  const source = readFileSync(join(root, file), 'utf8')
  const { code } = isolatedDeclarationSync(file, source, { stripInternal: true })
  const { program, comments } = parseSync(file.replace(/\.ts$/, '.d.ts'), code)
  // the comment at the head of a file is about the file, not about its first type
  const own = parseSync(file, source).comments[0]
  const title = own?.start === 0 ? own.value : undefined
  const imports = new Map<string, { file: string; name: string }>()
  const declarations = new Map<string, Declaration>()
  const exports: string[] = []
  const reexported: string[] = []
  for (const statement of program.body as unknown as Node[]) {
    const from = (statement.source as { value?: string } | null | undefined)?.value
    if (statement.type === 'ExportAllDeclaration') throw new Error(`${file}: name what is exported from ${from}`)
    if (from !== undefined) {
      const path = from.startsWith('.') ? relative(root, join(root, dirname(file), from)) : undefined
      for (const { imported, local, exported } of (statement.specifiers ?? []) as Record<string, { name: string }>[]) {
        const name = exported?.name ?? local?.name
        if (path === undefined || name === undefined) continue
        imports.set(name, { file: path, name: imported?.name ?? local?.name ?? name })
        if (exported) reexported.push(name)
      }
      continue
    }
    const node = (statement.declaration as Node | null | undefined) ?? statement
    const [variable] = (node.declarations ?? []) as Node[]
    const name = ((variable ?? node).id as { name?: string } | null | undefined)?.name
    if (name === undefined) continue
    if (node !== statement) exports.push(name)
    const before = comments.findLast(c => c.end <= statement.start)
    const isItsOwn = before && code.slice(before.end, statement.start).trim() === '' && before.value !== title
    const text = code.slice(isItsOwn ? before.start : statement.start, statement.end)
    declarations.set(name, {
      file,
      name,
      mentions: mentioned(node),
      text: node === statement ? `export ${text}` : text,
    })
  }
  return { declarations, imports, exports: [...exports, ...reexported] }
}

/** Nodes that can name a type, and their field with the name. */
const places: Readonly<Record<string, string>> = {
  TSTypeReference: 'typeName',
  TSTypeQuery: 'exprName',
  TSInterfaceHeritage: 'expression',
  ClassDeclaration: 'superClass',
}

interface Named {
  type: string
  name?: string
  left?: { name?: string }
}

function mentioned(node: Node): Set<string> {
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (typeof value !== 'object' || value === null) return
    const place = places[(value as Node).type]
    const named = place === undefined ? undefined : ((value as Node)[place] as Named | null)
    if (named?.type === 'Identifier' && named.name) names.add(named.name)
    if (named?.type === 'TSQualifiedName' && named.left?.name !== 'NodeJS') {
      throw new Error('a type that drivers see is named by a namespace import: import it by its name')
    }
    for (const child of Object.values(value)) visit(child)
  }
  visit(node)
  return names
}

const formatted = (root: string, text: string): string =>
  execFileSync(join(root, 'node_modules/.bin/biome'), ['format', '--stdin-file-path', 'src/coe.d.ts'], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  })
