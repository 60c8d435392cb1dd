/** Scalars as PyYAML writes them: plain, 'single' or "double" quoted, long lines folded. */

/** PyYAML breaks longer lines at the next single space. */
const bestWidth = 80

/** Text that YAML 1.1 would read as another type. */
const otherTypes = [
  /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  /^(?:~|null|Null|NULL)?$/,
  /^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$/,
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$/,
  /^(?:[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
  /^\d{4}-\d\d-\d\d$/,
  /^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?$/,
  /^(?:<<|=|[!&*])$/,
]

const indicatorFirst = /^(?:[#,[\]{}&*!|>'"%@`]|---|\.\.\.|[?:-](?:\s|$))/
const indicatorWithin = /:(?:\s|$)|\s#/

/** PyYAML's line ends. */
export const lineBreak = /[\n\x85\u2028\u2029]/

export type ScalarStyle = 'plain' | 'single' | 'double'

/** The simplest style that reads back as the same text. A key must stay on one line. */
export function scalarStyle(text: string, key: boolean): ScalarStyle {
  if (/[^\n\x20-\x7e]/.test(text) || / \n/.test(text)) return 'double'
  const lines = text.includes('\n')
  const plain =
    !lines &&
    !/^ | $/.test(text) &&
    !indicatorFirst.test(text) &&
    !indicatorWithin.test(text) &&
    !otherTypes.some(pattern => pattern.test(text))
  if (plain) return 'plain'
  return /\n /.test(text) || (key && lines) ? 'double' : 'single'
}

/** The column where the text starts and the indent of its further lines. `fold: false` for keys. */
export interface Place {
  column: number
  indent: number
  fold: boolean
}

export function scalarText(text: string, style: ScalarStyle, place: Place): string {
  if (style === 'double') return doubleQuoted(text, place)
  return style === 'plain' ? folded(text, place) : singleQuoted(text, place)
}

/** Ends a line that is too long at a single space, except at the first and last space of the text. */
function folded(text: string, place: Place, ends: [first: boolean, last: boolean] = [true, true]): string {
  if (!place.fold) return text
  const pieces = text.split(/( +)/)
  let column = place.column
  let out = ''
  for (const [index, piece] of pieces.entries()) {
    const outermost = (ends[0] && out === '') || (ends[1] && index === pieces.length - 2 && pieces.at(-1) === '')
    if (piece === ' ' && column > bestWidth && !outermost) {
      out += `\n${' '.repeat(place.indent)}`
      column = place.indent
    } else {
      out += piece
      column += piece.length
    }
  }
  return out
}

/** Writes one more line break for each run of them, since a single one would read as a space. */
function singleQuoted(text: string, place: Place): string {
  const pieces = text.replaceAll("'", "''").split(/(\n+)/)
  let column = place.column + 1
  let out = "'"
  for (const [index, piece] of pieces.entries()) {
    if (piece.startsWith('\n')) {
      out += `${piece}\n${' '.repeat(place.indent)}`
      column = place.indent
    } else out += folded(piece, { ...place, column }, [index === 0, index === pieces.length - 1])
  }
  return `${out}'`
}

const escapes: Record<string, string> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\xa0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
}

function escapeChar(char: string): string {
  const short = escapes[char]
  if (short) return `\\${short}`
  const code = char.codePointAt(0) as number
  const hex = code.toString(16).toUpperCase()
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

/** Folds before a space or after an escape where the line would exceed the width; `\` joins the parts on reading. */
function doubleQuoted(text: string, place: Place): string {
  const chars = [...text]
  const lineStart = ' '.repeat(place.indent)
  let column = place.column + 1
  let out = '"'
  /** Plain characters not yet written: their length decides whether they fit on this line. */
  let run = ''
  for (const [index, char] of [...chars, undefined].entries()) {
    const special = char === undefined || char === '"' || char === '\\' || !/[\x20-\x7e]/.test(char)
    if (special) {
      const written = run + (char === undefined ? '' : escapeChar(char))
      out += written
      column += written.length
      run = ''
    }
    const breakable = place.fold && index > 0 && index < chars.length - 1 && (char === ' ' || run === '')
    // PyYAML counts one column less right after an escape
    if (breakable && column + (special ? -1 : run.length) > bestWidth) {
      const next = special ? chars[index + 1] : char
      out += `${run}\\\n${lineStart}`
      column = place.indent
      run = ''
      if (next === ' ') {
        out += '\\'
        column += 1
      }
    }
    if (!special) run += char
  }
  return `${out}"`
}
