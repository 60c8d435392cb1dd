/**
 * Tables for people at a terminal. The stock client's rule (fit.ts) knows no names and shares the room evenly: at 80 columns it
 * cuts `CREATE_COMPLETE` in the middle, and the table is still too wide. Here words are kept whole, and long names are broken
 * where they have joints.
 */
import { charWidth, columnsOf } from './width.ts'

type Lines = readonly string[]

/** What is longer than this and has no joint is cut: better than to take the room of all others. */
const longestPiece = 14

/** Short words are kept whole, whatever joints they have. */
const shortWord = 8

/** Behind a joint of a name, an address or a number. */
const joint = /(?<=[-_./:,;=@])(?![-_./:,;=@])/

/** The least width at which nothing needs to be cut that has a joint. */
export function leastWidth(header: Lines, cells: readonly Lines[]): number {
  const pieces = (lines: Lines) =>
    lines.flatMap(line => line.split(' ')).flatMap(word => (columnsOf(word) <= shortWord ? [word] : word.split(joint)))
  const widest = (lines: Lines) => pieces(lines).reduce((most, piece) => Math.max(most, columnsOf(piece)), 1)
  const inCells = cells.reduce((most, lines) => Math.max(most, widest(lines)), 1)
  return Math.max(widest(header), Math.min(inCells, longestPiece))
}

/** A terminal too narrow for whole words: broken words can be read better than broken lines. */
const narrowest = 4
/** Where what is to be copied stays whole, the others may become narrower still. */
const narrowestBesideKeys = 2

/** What is left above the least goes first to those that need little to be whole. */
export function fitTerminal(
  natural: readonly number[],
  least: readonly number[],
  available: number,
  keys: readonly number[] = [],
): number[] {
  // a name and an identifier are there to be copied: the last of the keys gives up its place first
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
  let room = available - 1 - widths.reduce((sum, width) => sum + width + 3, 0)
  const wanting = natural
    .map((width, i) => ({ i, more: width - (widths[i] as number) }))
    .sort((a, b) => a.more - b.more)
  for (const [at, { i, more }] of wanting.entries()) {
    const given = Math.max(0, Math.min(more, Math.floor(room / (wanting.length - at))))
    widths[i] = (widths[i] as number) + given
    room -= given
  }
  for (; room < 0; room++) {
    const widest = widths.reduce((at, width, i) => (!kept.includes(i) && width > (widths[at] ?? 0) ? i : at), -1)
    if (widest < 0 || (widths[widest] as number) <= (kept.length > 0 ? narrowestBesideKeys : narrowest)) break
    widths[widest] = (widths[widest] as number) - 1
  }
  return widths
}

/** A line as several of at most `width`: broken between words, a longer word at its joints, a longer piece anywhere. */
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
  let room = width
  for (const char of piece) {
    if (charWidth(char) > room && parts.at(-1) !== '') {
      parts.push('')
      room = width
    }
    parts[parts.length - 1] += char
    room -= charWidth(char)
  }
  return parts
}
