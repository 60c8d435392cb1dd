import { repr, typeName } from './python.ts'
import { invalid, mandatory, refuse } from './refusals.ts'

/** The rules of an attribute in a body. Each resource has a table; the checks and their messages are here. */
export interface Field {
  kind: 'text' | 'int' | 'bool' | 'labels' | 'properties' | 'list' | 'taints'
  mandatory?: boolean
  /** Set by the server; a request with it is refused. */
  readOnly?: boolean
  min?: number
  max?: number
  minLength?: number
  maxLength?: number
  pattern?: RegExp
  values?: readonly string[]
  /** The first release whose API has it. */
  since?: number
}

export type Fields = Record<string, Field>
export type Values = Record<string, unknown>

export const namePattern = /^[a-zA-Z][a-zA-Z0-9_.-]*$/

/** Reads a body against a table: unknown attributes first, then each in the table's order. Absent ones stay absent. */
export function readFields(argument: string, body: unknown, fields: Fields, release: number): Values {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid(argument, repr(body), `unable to convert to ${argument}`)
  }
  const sent = body as Values
  const known = (name: string) => name in fields && (fields[name]?.since ?? 0) <= release
  const unknown = Object.keys(sent).find(name => !known(name))
  if (unknown !== undefined) throw refuse(400, `Unknown attribute for argument ${argument}: ${unknown}`)
  const wrongBody = (why: string) => invalid(argument, repr(body), why)
  const read: Values = {}
  for (const [name, field] of Object.entries(fields)) {
    if (!(name in sent)) {
      if (field.mandatory) throw mandatory(name)
      continue
    }
    const value = sent[name]
    if (field.readOnly) throw invalid(name, repr(value), 'Cannot set read only field.')
    if (value === null) {
      if (field.mandatory) throw mandatory(name)
      read[name] = null
      continue
    }
    read[name] = check(name, field, convert(name, field, value, wrongBody))
  }
  return read
}

/** Converts a JSON value to the attribute's type. The error for an impossible value names the complete body. */
function convert(name: string, field: Field, value: unknown, wrongBody: (why: string) => Error): unknown {
  switch (field.kind) {
    case 'int':
      if (typeof value === 'number') return Math.trunc(value)
      if (typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)) return Number(value)
      throw wrongBody(`invalid literal for int() with base 10: ${repr(value)}`)
    case 'bool':
      if (typeof value === 'boolean') return value
      if (typeof value === 'string' && /^(true|t|yes|y|on|1)$/i.test(value)) return true
      if (typeof value === 'string' && /^(false|f|no|n|off|0)$/i.test(value)) return false
      // the real server crashes on it, without a useful message
      throw refuse(500, `Unable to convert to a boolean: ${repr(value)}`)
    case 'list':
      if (!Array.isArray(value)) throw wrongBody(`Value not a valid list: ${plain(value)}`)
      return value.map(item => text(name, item))
    case 'taints':
      if (!Array.isArray(value)) throw wrongBody(`Value not a valid list: ${plain(value)}`)
      return value
    case 'labels':
    case 'properties':
      if (typeName(value) !== 'dict') throw wrongBody(`Value not a valid dict: ${plain(value)}`)
      return dictionary(name, field.kind, value as Values)
    default:
      return text(name, value, field)
  }
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : repr(value))

/** Labels take any simple value and keep it as text; properties take only text. */
function dictionary(name: string, kind: 'labels' | 'properties', sent: Values): Record<string, string> {
  const read = new Map<string, string>()
  for (const [key, item] of Object.entries(sent)) {
    if (typeof item === 'string') read.set(key, item)
    else if (kind === 'labels' && ['number', 'boolean'].includes(typeof item)) read.set(key, repr(item))
    else {
      const wanted =
        kind === 'properties' ? "<class 'str'>" : "(<class 'str'>, <class 'int'>, <class 'bool'>, <class 'float'>)"
      throw invalid(name, repr(sent), `Wrong type. Expected '${wanted}', got '<class '${typeName(item)}'>'`)
    }
  }
  return Object.fromEntries(read)
}

function text(name: string, value: unknown, field?: Field): string {
  if (typeof value === 'string') return value
  const bounded = field?.minLength !== undefined || field?.maxLength !== undefined
  const wrong = `Wrong type. Expected '<class 'str'>', got '<class '${typeName(value)}'>'`
  throw invalid(name, repr(value), bounded ? 'Value should be string' : wrong)
}

/** Checks the bounds of an attribute, also in a patched document, where nothing is converted. */
export function check(name: string, field: Field, value: unknown): unknown {
  if (value === null) return value
  const wrong = (why: string) => invalid(name, plain(value), why)
  if (field.kind === 'int') {
    // Python cannot compare text with a number
    if (typeof value === 'string') throw wrong("'<' not supported between instances of 'str' and 'int'")
    if (field.min !== undefined && Number(value) < field.min) {
      throw wrong(`Value should be greater or equal to ${field.min}`)
    }
    if (field.max !== undefined && Number(value) > field.max)
      throw wrong(`Value should be lower or equal to ${field.max}`)
    return value
  }
  if ((field.kind === 'labels' || field.kind === 'properties') && typeName(value) !== 'dict') {
    throw wrong(`Wrong type. Expected '{<class 'str'>: <class 'str'>}', got '<class '${typeName(value)}'>'`)
  }
  if (field.kind === 'bool' && typeof value !== 'boolean') {
    throw wrong(`Wrong type. Expected '<class 'bool'>', got '<class '${typeName(value)}'>'`)
  }
  if (field.kind !== 'text') return value
  const string = text(name, value, field)
  if (field.values && !field.values.includes(string)) throw wrong(`Value should be one of: ${field.values.join(', ')}`)
  if (field.minLength !== undefined && string.length < field.minLength) {
    throw wrong(`Value should have a minimum character requirement of ${field.minLength}`)
  }
  if (field.maxLength !== undefined && string.length > field.maxLength) {
    throw wrong(`Value should have a maximum character requirement of ${field.maxLength}`)
  }
  if (field.pattern && !field.pattern.test(string))
    throw wrong(`Value should match the pattern ${field.pattern.source}`)
  return value
}
