/** Python's formats, which Magnum uses in its messages and label syntax. */

/** A JSON value as Python prints it. */
export function repr(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, item]) => `${quote(key)}: ${repr(item)}`)
      .join(', ')}}`
  }
  return String(value)
}

function quote(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
  return text.includes("'") && !text.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`
}

/** The name of a JSON value's Python type, as in "got '<class 'dict'>'". */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'str'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return Array.isArray(value) ? 'list' : 'dict'
}

/** Reads a literal (`{'a': 'b', "c": 1}`) like Python's ast.literal_eval, and throws its messages. */
export function literalEval(text: string): unknown {
  const tokens = text.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[[\]{}(),:]|-?\d+(?:\.\d+)?|[A-Za-z_]\w*|\S/g) ?? []
  let at = 0
  const fail = (): never => {
    throw new Error('malformed node or string')
  }
  const expect = (token: string) => {
    if (tokens[at++] !== token) fail()
  }
  const list = (end: string): unknown[] => {
    const items: unknown[] = []
    while (tokens[at] !== end) {
      items.push(value())
      if (tokens[at] !== end) expect(',')
    }
    at++
    return items
  }
  const value = (): unknown => {
    const token = tokens[at++]
    if (token === undefined) return fail()
    if (token === '{') {
      const pairs: [string, unknown][] = []
      while (tokens[at] !== '}') {
        const key = value()
        expect(':')
        pairs.push([String(key), value()])
        if (tokens[at] !== '}') expect(',')
      }
      at++
      return Object.fromEntries(pairs)
    }
    if (token === '[') return list(']')
    if (token === '(') return list(')')
    if (/^['"]./.test(token)) return token.slice(1, -1).replace(/\\(u[\da-f]{4}|.)/gi, (_, escaped) => meaning(escaped))
    if (/^-?\d/.test(token)) return Number(token)
    // JSON's true, false and null are unknown names in Python
    if (token === 'True' || token === 'False') return token === 'True'
    return token === 'None' ? null : fail()
  }
  const result = value()
  if (at !== tokens.length) fail()
  return result
}

function meaning(escaped: string): string {
  if (escaped.length === 5) return String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
  return { n: '\n', t: '\t', r: '\r' }[escaped] ?? escaped
}
