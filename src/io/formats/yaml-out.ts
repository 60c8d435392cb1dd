import { compareText, pyNumber } from './python.ts'
import { lineBreak, scalarStyle, scalarText } from './yaml-scalar.ts'

/**
 * YAML in PyYAML's block style, byte for byte, as the openstack client prints it. The `yaml` package quotes, folds and
 * indents differently, and takes longer to load than all of our output takes to write.
 */
export const yamlText = (value: unknown): string =>
  `${node(value, { column: 0, indent: 0, inList: false }).trimStart()}\n`

interface At {
  /** Columns already taken on the line. */
  column: number
  /** The indent of this value's further lines. */
  indent: number
  /** Directly after a `- `: a nested collection starts on the same line. */
  inList: boolean
}

const isEmpty = (value: object): boolean => (Array.isArray(value) ? value.length === 0 : keysOf(value).length === 0)
const keysOf = (value: object): string[] => (value instanceof Map ? [...value.keys()] : Object.keys(value))
const itemOf = (value: object, key: string): unknown =>
  value instanceof Map ? value.get(key) : (value as Record<string, unknown>)[key]

/** A value, preceded by its separator from the key or dash: a space, or a line break and an indent. */
function node(value: unknown, at: At): string {
  if (typeof value !== 'object' || value === null) return ` ${scalar(value, at)}`
  if (isEmpty(value)) return Array.isArray(value) ? ' []' : ' {}'
  const margin = ' '.repeat(at.indent)
  const lines = Array.isArray(value)
    ? value.map(item => `-${node(item, { column: at.indent + 2, indent: at.indent + 2, inList: true })}`)
    : keysOf(value)
        .sort(compareText)
        .map(key => entry(key, itemOf(value, key), at.indent))
  return (at.inList ? ' ' : `\n${margin}`) + lines.join(`\n${margin}`)
}

/** PyYAML does not indent a list below its key. */
function entry(key: string, value: unknown, indent: number): string {
  const list = Array.isArray(value)
  // keys that are empty, long or contain line breaks cannot be followed by a colon on the same line
  if (key === '' || lineBreak.test(key) || [...key].length > 122) {
    const marked = scalarText(key, scalarStyle(key, false), { column: indent + 2, indent: indent + 2, fold: true })
    const below = node(value, { column: indent + 2, indent: indent + 2, inList: true })
    return `? ${marked}\n${' '.repeat(indent)}:${below}`
  }
  const name = scalarText(key, scalarStyle(key, true), { column: indent, indent, fold: false })
  return `${name}:${node(value, { column: indent + name.length + 2, indent: list ? indent : indent + 2, inList: false })}`
}

function scalar(value: unknown, at: At): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return number(value)
  if (typeof value !== 'string') return String(value)
  return scalarText(value, scalarStyle(value, false), { column: at.column, indent: at.indent, fold: true })
}

/** YAML 1.1 floats need a decimal point. */
function number(value: number): string {
  const text = pyNumber(value)
  return !text.includes('.') && text.includes('e') ? text.replace('e', '.0e') : text
}
