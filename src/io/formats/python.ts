/**
 * Values in Python's spelling: `None`, `True`, `{'a': 'b'}`. The openstack client is written in Python and scripts
 * parse its output, so every format but json uses this.
 */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Python's `str()`: text unchanged, anything else as `repr()`. */
export const pyStr = (value: unknown): string => (typeof value === 'string' ? value : pyRepr(value))

export function pyRepr(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return pyNumber(value)
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(pyRepr).join(', ')}]`
  if (isRecord(value)) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${quoted(key)}: ${pyRepr(item)}`)
      .join(', ')}}`
  }
  return String(value)
}

/** JavaScript has one number type; an integer is printed as Python's int, which has no exponent at any size. */
export function pyNumber(value: number): string {
  if (Number.isInteger(value)) return Number.isSafeInteger(value) ? String(value) : BigInt(value).toString()
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
  if (Math.abs(value) >= 1e-4) return String(value)
  const [digits, exponent] = value.toExponential().split('e') as [string, string]
  return `${digits}e-${exponent.slice(1).padStart(2, '0')}`
}

const shortEscapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' }
/** The characters that Python calls unprintable: controls, unassigned, private, surrogates, and all spaces but U+0020. */
const unprintable = /[\\\p{C}]|(?! )\p{Z}/gu

function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(unprintable, char => shortEscapes[char] ?? codeEscape(char.codePointAt(0) as number))
  return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark
}

function codeEscape(code: number): string {
  const hex = code.toString(16)
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

/** Python orders text by code point, JavaScript by UTF-16 unit; they differ above U+FFFF. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  let i = 0
  while (i < a.length && i < b.length && a[i] === b[i]) i++
  const left = a.codePointAt(i) ?? -1
  const right = b.codePointAt(i) ?? -1
  // pairs with the same first half differ in the second half, which plain units order correctly
  return left === right || (left & 0xfc00) === 0xdc00 || (right & 0xfc00) === 0xdc00 ? (a < b ? -1 : 1) : left - right
}
