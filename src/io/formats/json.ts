import { pyNumber } from './python.ts'

/** JSON in the layout of Python's `json.dump`: ASCII only, indented by two spaces or on one line. A Map keeps its order. */
export function jsonText(value: unknown, indented: boolean): string {
  return `${write(value, indented ? '\n' : '')}\n`
}

/** `newline` is a line break with the current indent, or empty for output on one line. */
function write(value: unknown, newline: string): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return ascii(JSON.stringify(value))
  if (typeof value === 'number') return pyNumber(value)
  if (typeof value !== 'object') return String(value)
  const deeper = newline && `${newline}  `
  const between = newline ? `,${deeper}` : ', '
  if (Array.isArray(value)) {
    if (!value.length) return '[]'
    return `[${deeper}${value.map(item => write(item, deeper)).join(between)}${newline}]`
  }
  const entries: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value)
  if (!entries.length) return '{}'
  const lines = entries.map(([key, item]) => `${ascii(JSON.stringify(key))}: ${write(item, deeper)}`)
  return `{${deeper}${lines.join(between)}${newline}}`
}

const ascii = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
