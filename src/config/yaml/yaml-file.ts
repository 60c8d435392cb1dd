/** Reads YAML (and JSON) files, with errors that name the line and column of a mistake. */
import { CoeError, errorCode, failed, notFound, usage } from '../../core/errors.ts'
import { shellWord } from '../../core/shell-word.ts'
import { unixLines } from '../../core/text.ts'
import { readUtf8 } from '../../core/utf8.ts'
import { type PlainMapping, type PlainYaml, readPlainYaml } from './plain-yaml.ts'
import { type Document, loadYaml } from './yaml-parser.ts'
import { problem, yamlProblem } from './yaml-problem.ts'
import { type Values, valuesOf } from './yaml-values.ts'

export type Mapping = PlainMapping
export type KeyPath = readonly (string | number)[]

export interface YamlFile {
  readonly path: string
  /** The content; an empty file is an empty mapping. Numbers are text. */
  readonly data: Mapping
  /** Line of a key or item, counted from 1. */
  lineOf(keys: KeyPath): number | undefined
  /** Repeated keys with their positions; the later value is used. Empty if repeated keys are refused. */
  readonly repeats: readonly string[]
  /** An error for the repeated key that affects the value at these keys, if any. */
  repeatAt(keys: KeyPath): CoeError | undefined
}

/** Leniency for files of other programs that accept more than YAML 1.2. */
export interface Leniency {
  /** Repeated keys are reported, not refused. */
  repeats?: boolean
  /** Keys whose plain `yes`, `no`, `on` and `off` are true and false, as in YAML 1.1. */
  switches?: readonly string[]
}

export const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An error for a file that could not be read; `what` says what kind of file it is. */
export function unreadable(path: string, what: string, error: unknown): CoeError {
  if (error instanceof CoeError) return error
  const code = errorCode(error)
  const options = { cause: error, details: { file: path, code } }
  if (code === 'ENOENT' || code === 'ENOTDIR') return notFound(`there is no ${what} at ${path}`, options)
  if (code === 'EACCES' || code === 'EPERM') {
    return failed(`you may not read the ${what} ${path}`, {
      ...options,
      hint: `check its permissions: ls -l ${shellWord(path)}`,
    })
  }
  if (code === 'EISDIR') {
    return usage(`the ${what} ${path} is a folder, not a file`, { ...options, hint: 'name the file in it' })
  }
  return failed(`cannot read the ${what} ${path}${code ? ` (${code})` : ''}`, options)
}

/** Reads and parses a file, which must exist. `what` names it in errors: "cloud configuration", "kubeconfig". */
export async function readYamlFile(path: string, what: string, lenient: Leniency = {}): Promise<YamlFile> {
  let text: string
  try {
    text = await readUtf8(path, what)
  } catch (error) {
    throw unreadable(path, what, error)
  }
  return await parseYaml(text, path, what, lenient)
}

export async function parseYaml(
  written: string,
  path: string,
  what: string,
  lenient: Leniency = {},
): Promise<YamlFile> {
  const text = unixLines(written)
  const plain = readPlainYaml(text, lenient.switches)
  if (plain) return plainFile(plain, text, path, what)
  const { document, lineAt, read, values } = await openYaml(text, path, what, { switches: lenient.switches })
  const reading = lenient.repeats ? read() : undefined
  const data = reading ? reading.data : values()
  const lineOf = (keys: KeyPath): number | undefined => {
    const node = keyNode(document, keys)
    return node?.range ? lineAt(node.range[0]) : undefined
  }
  const repeats = reading?.repeats.map(({ offset, reason }) => `${path}:${lineAt(offset)}: ${reason}`) ?? []
  return { path, data: checked(data, text, path, what), lineOf, repeats, repeatAt: keys => reading?.problemAt(keys) }
}

function plainFile(plain: PlainYaml, text: string, path: string, what: string): YamlFile {
  const lineOf = (keys: KeyPath): number | undefined => {
    let holder: unknown = plain.data
    let line: number | undefined
    for (const key of keys) {
      if (typeof holder !== 'object' || holder === null) return undefined
      if (!Array.isArray(holder)) line = plain.lines.get(holder)?.get(String(key))
      holder = (holder as Mapping)[key]
      const first = typeof key === 'number' && isMapping(holder) ? plain.lines.get(holder) : undefined
      if (first) line = Math.min(...first.values())
    }
    return line
  }
  return { path, data: checked(plain.data, text, path, what), lineOf, repeats: [], repeatAt: () => undefined }
}

function checked(data: unknown, text: string, path: string, what: string): Mapping {
  if (data === null || data === undefined) return {}
  if (isMapping(data)) return data
  const line = text.split('\n').findIndex(l => !/^\s*(#.*)?$/.test(l) && l.trim() !== '---') + 1
  throw usage(`cannot read the ${what} ${path}: it does not hold keys and values`, {
    hint: `it begins with ${Array.isArray(data) ? 'a list' : 'plain text'} on line ${line}`,
    details: { file: path, line },
  })
}

export interface OpenYaml {
  document: Document
  /** Mappings, lists, text, true, false and null. Follows aliases, and refuses broken ones. */
  values(): unknown
  /** Like `values`, without refusing repeated keys. */
  read(): Values & { problemAt(keys: KeyPath): CoeError | undefined }
  /** The line of an offset, counted from 1. */
  lineAt(offset: number): number
  /** The line and column of an offset. */
  placeAt(offset: number): { line: number; col: number }
}

export interface OpenOptions {
  /**
   * Keeps everything as written, including numbers and merge keys, and quotes new text that YAML 1.1 would not read as
   * text (kubectl reads a context named `y` as true).
   */
  edit?: boolean
  switches?: readonly string[] | undefined
}

/**
 * Opens a text with the full parser: for files that the plain reader does not support, and for edits that keep
 * comments.
 */
export async function openYaml(
  written: string,
  path: string,
  what: string,
  { edit = false, switches = [] }: OpenOptions = {},
): Promise<OpenYaml> {
  const text = unixLines(written)
  const yaml = await loadYaml()
  const lineCounter = new yaml.LineCounter()
  const document = yaml.parseDocument(text, {
    lineCounter,
    uniqueKeys: false, // checked with the values
    prettyErrors: false, // the library's excerpt would show secrets
    ...(edit
      ? { compat: 'yaml-1.1' as const }
      : { merge: true, customTags: tags => tags.filter(t => typeof t === 'string' || !/:(?:int|float)$/.test(t.tag)) }),
  })
  const error = document.errors[0]
  const placeAt = (offset: number) => lineCounter.linePos(offset)
  if (error) throw yamlProblem(error, text, placeAt, path, what)
  const wrong = (offset: number, reason: string) => problem(path, what, text, placeAt(offset), reason)
  const read = () => {
    const found = valuesOf({ yaml, document, merge: !edit, switches, problem: wrong })
    return {
      ...found,
      problemAt(keys: KeyPath) {
        const repeat = found.repeatAt(keys)
        return repeat && wrong(repeat.offset, repeat.reason)
      },
    }
  }
  const values = () => {
    const { data, repeats } = read()
    const [first] = repeats
    if (first) throw wrong(first.offset, first.reason)
    return data
  }
  return { document, values, read, lineAt: offset => placeAt(offset).line, placeAt }
}

export interface Ranged {
  range?: readonly [number, number, number] | null
}

/** The node of the last key itself rather than of its value. */
export function keyNode(document: Document, keys: KeyPath): Ranged | undefined {
  const parent = keys.length > 1 ? document.getIn(keys.slice(0, -1), true) : document.contents
  const last = keys.at(-1)
  const items = (parent as { items?: unknown } | null | undefined)?.items
  if (!Array.isArray(items) || last === undefined) return undefined
  if (typeof last === 'number') return items[last] as Ranged | undefined
  for (const pair of items as { key?: { value?: unknown } & Ranged }[]) {
    if (String(pair?.key?.value) === last) return pair.key
  }
  return undefined
}
