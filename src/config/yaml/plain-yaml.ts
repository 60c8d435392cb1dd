/**
 * Reads the plain subset of YAML that nearly every clouds.yaml and kubeconfig uses: block mappings and sequences of
 * one-line scalars. Returns undefined for anything else (anchors, tags, flow collections, block scalars, escapes,
 * repeated keys, mistakes): then the full parser is used, which takes 12 ms or more to load and run. Numbers stay text,
 * as everywhere in this module: a password of digits is not a number.
 */
interface Line {
  indent: number
  text: string
  number: number
}

export type PlainMapping = { [key: string]: unknown }

export interface PlainYaml {
  data: unknown
  /** Line of each key, by the mapping that holds it. */
  lines: Map<object, Map<string, number>>
}

/** Thrown to leave the recursion; caught within this file. */
const notPlain = Symbol('not plain')

const entryPattern = /^([A-Za-z0-9_][\w./@+-]*):(?: +(.*))?$/
const unsafeKey = /^(?:null|true|false|__proto__)$/i
// control characters, tabs and unusual line breaks, which need the full parser
const exotic = /[^\n\r\x20-\x7e\xa0-\u2027\u202a-\ufefe]/

function toLines(text: string): Line[] {
  const lines: Line[] = []
  let number = 0
  for (const raw of text.split(/\r?\n/)) {
    number++
    const trimmed = raw.replace(/^ +| +$/g, '') // a no-break space belongs to the value, and the library handles tabs
    if (trimmed === '' || trimmed.startsWith('#')) continue
    if (trimmed === '---' && lines.length === 0) continue
    if (raw.startsWith('---') || raw.startsWith('...') || raw.startsWith('%')) throw notPlain
    lines.push({ indent: raw.search(/[^ ]/), text: trimmed, number })
  }
  return lines
}

function scalar(source: string): unknown {
  const first = source[0]
  if (first === '"' || first === "'") {
    const quoted = first === '"' ? /^"([^"\\]*)"(?: +#.*)?$/ : /^'((?:[^']|'')*)'(?: +#.*)?$/
    const match = quoted.exec(source)
    if (!match) throw notPlain
    return (match[1] as string).replaceAll("''", first === "'" ? "'" : "''")
  }
  const text = source.replace(/(?:^| +)#.*$/, '')
  if (text === '{}') return {}
  if (text === '[]') return []
  if (/^[[\]{},&*!|>%@`]|^[-?:](?: |$)|: |:$/.test(text)) throw notPlain
  if (/^(?:|~|null|Null|NULL)$/.test(text)) return null
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  if (/^(?:false|False|FALSE)$/.test(text)) return false
  return text
}

/** A plain scalar as a boolean of YAML 1.1; undefined for any other word. */
export function switchValue(value: unknown): boolean | undefined {
  if (typeof value !== 'string') return undefined
  if (/^(?:yes|Yes|YES|on|On|ON)$/.test(value)) return true
  return /^(?:no|No|NO|off|Off|OFF)$/.test(value) ? false : undefined
}

/** @param switches keys whose plain `yes`, `no`, `on` and `off` are true and false */
export function readPlainYaml(source: string, switches: readonly string[] = []): PlainYaml | undefined {
  if (exotic.test(source)) return undefined
  const lines: PlainYaml['lines'] = new Map()
  let rows: Line[] = []
  let at = 0

  const isItem = (line: Line | undefined): boolean => line?.text.startsWith('- ') === true

  const mapping = (indent: number): PlainMapping => {
    const result: PlainMapping = {}
    const places = new Map<string, number>()
    lines.set(result, places)
    for (let line = rows[at]; line && line.indent === indent; line = rows[at]) {
      const [, key, rest] = entryPattern.exec(line.text) ?? []
      if (key === undefined || unsafeKey.test(key) || places.has(key)) throw notPlain
      places.set(key, line.number)
      at++
      const written = rest === undefined ? null : scalar(rest)
      const isSwitch = /^["']/.test(rest ?? '') === false && switches.includes(key.replaceAll('-', '_'))
      const value = isSwitch ? (switchValue(written) ?? written) : written
      const next = rows[at]
      const nested = next && (next.indent > indent || (next.indent === indent && isItem(next)))
      if (nested && rest !== undefined && !rest.startsWith('#')) throw notPlain // a scalar over several lines
      result[key] = nested ? block(next.indent) : value
    }
    return result
  }

  const sequence = (indent: number): unknown[] => {
    const result: unknown[] = []
    for (let line = rows[at]; line && line.indent === indent && isItem(line); line = rows[at]) {
      const text = line.text.slice(1).replace(/^ +/, '')
      if (entryPattern.test(text)) {
        // "- key: value" begins a mapping, whose other keys are aligned with this one
        line.indent += line.text.length - text.length
        line.text = text
        result.push(mapping(line.indent))
      } else {
        if (isItem({ ...line, text })) throw notPlain
        result.push(scalar(text))
        at++
      }
      if ((rows[at]?.indent ?? 0) > indent) throw notPlain
    }
    return result
  }

  const block = (indent: number): unknown => (isItem(rows[at]) ? sequence(indent) : mapping(indent))

  try {
    rows = toLines(source)
    const first = rows[0]
    const data = first ? block(first.indent) : null
    return at < rows.length ? undefined : { data, lines }
  } catch (reason) {
    if (reason === notPlain) return undefined
    throw reason
  }
}
