/**
 * Column widths of tables at a terminal. The stock client's rule (fit.ts) shares the width evenly: at 80 columns it
 * cuts `CREATE_COMPLETE` in the middle, and the table is still too wide. These rules keep words complete and break long
 * names at their joints.
 */
import { charWidth, columnsOf } from './width.ts'

type Lines = readonly string[]

/** Longer pieces without a joint are cut rather than taking the width of all other columns. */
const longestPiece = 14

/** Words up to this length are never broken, whatever joints they have. */
const shortWord = 8

/** The position after a joint of a name, an address or a number. */
const joint = /(?<=[-_./:,;=@])(?![-_./:,;=@])/

/** The smallest width at which nothing with a joint needs to be cut. */
export function leastWidth(header: Lines, cells: readonly Lines[]): number {
  const pieces = (lines: Lines) =>
    lines.flatMap(line => line.split(' ')).flatMap(word => (columnsOf(word) <= shortWord ? [word] : word.split(joint)))
  const widest = (lines: Lines) => pieces(lines).reduce((most, piece) => Math.max(most, columnsOf(piece)), 1)
  const inCells = cells.reduce((most, lines) => Math.max(most, widest(lines)), 1)
  return Math.max(widest(header), Math.min(inCells, longestPiece))
}

/** The limit in a terminal too narrow for complete words: broken words are easier to read than broken lines. */
const narrowest = 4
/** The limit for other columns while keys (names, identifiers) stay complete. */
const narrowestBesideKeys = 2

/** Gives the width above the minimum first to the columns that need little to be complete. */
export function fitTerminal(
  natural: readonly number[],
  least: readonly number[],
  available: number,
  keys: readonly number[] = [],
): number[] {
  // names and identifiers are there to be copied, so they stay complete; the last key gives way first
  for (let n = keys.length; n > 0; n--) {
    const kept = keys.slice(0, n)
    const others = natural.map((width, i) => (kept.includes(i) ? width : Math.min(width, narrowestBesideKeys)))
    if (tableWidth(others) <= available) return narrowed(natural, least, available, kept)
  }
  return narrowed(natural, least, available, [])
}

const tableWidth = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + 3, 1)

function narrowed(
  natural: readonly number[],
  leasts: readonly number[],
  available: number,
  kept: readonly number[],
): number[] {
  const least = leasts.map((width, i) => (kept.includes(i) ? (natural[i] as number) : width))
  const widths = natural.map((width, i) => Math.min(width, least[i] as number))
  let spare = available - 1 - widths.reduce((sum, width) => sum + width + 3, 0)
  const wanting = natural
    .map((width, i) => ({ i, more: width - (widths[i] as number) }))
    .sort((a, b) => a.more - b.more)
  for (const [at, { i, more }] of wanting.entries()) {
    const extra = Math.max(0, Math.min(more, Math.floor(spare / (wanting.length - at))))
    widths[i] = (widths[i] as number) + extra
    spare -= extra
  }
  for (; spare < 0; spare++) {
    const widest = widths.reduce((at, width, i) => (!kept.includes(i) && width > (widths[at] ?? 0) ? i : at), -1)
    if (widest < 0 || (widths[widest] as number) <= (kept.length > 0 ? narrowestBesideKeys : narrowest)) break
    widths[widest] = (widths[widest] as number) - 1
  }
  return widths
}

/** Breaks a line into lines of at most `width`: between words, long words at their joints, long pieces anywhere. */
export function breakLine(line: string, width: number): string[] {
  const lines = ['']
  const add = (piece: string, gap = '') => {
    const last = lines.at(-1) as string
    if (columnsOf(last + gap + piece) <= width) lines[lines.length - 1] = last + gap + piece
    else if (last === '') lines[lines.length - 1] = piece
    else lines.push(piece)
  }
  for (const word of line.split(/ +/)) {
    const gap = lines.at(-1) === '' ? '' : ' '
    if (columnsOf(word) <= width) add(word, gap)
    else
      for (const [n, piece] of word
        .split(joint)
        .flatMap(p => chop(p, width))
        .entries())
        add(piece, n ? '' : gap)
  }
  return lines
}

function chop(piece: string, width: number): string[] {
  const parts = ['']
  let spare = width
  for (const char of piece) {
    if (charWidth(char) > spare && parts.at(-1) !== '') {
      parts.push('')
      spare = width
    }
    parts[parts.length - 1] += char
    spare -= charWidth(char)
  }
  return parts
}
