import { charWidth, columnsOf } from './width.ts'

/**
 * The places where Python's textwrap lets a line end: around spaces, around a dash `--` between words, and after a
 * hyphen that joins letters (`master-count`, not `10-12`).
 */
const seam = (() => {
  const letter = '[\\p{L}\\p{Nl}\\p{No}_]'
  const word = '[\\p{L}\\p{N}_]'
  const before = '[\\p{L}\\p{N}_!"\'&.,?]'
  return new RegExp(
    [
      '(?<= )(?! )',
      '(?<! )(?= )',
      `(?<=${letter}${letter}-|${letter}-${letter}-)(?=${letter}-?${letter})`,
      `(?<=${before})(?=--+${word})`,
      `(?<=${before}--+)(?=${word})`,
    ].join('|'),
    'u',
  )
})()

/** Breaks one line of text into lines of at most `width` columns; longer words are cut, after a hyphen if there is one. */
export function wrapLine(text: string, width: number): string[] {
  const pieces = expandTabs(text)
    .replace(/[\v\f\r]/g, ' ')
    .split(seam)
    .reverse()
  const lines: string[] = []
  while (pieces.length) {
    const line: string[] = []
    let spare = width
    if (lines.length && pieces.at(-1)?.trim() === '') pieces.pop()
    for (let piece = pieces.at(-1); piece !== undefined && columnsOf(piece) <= spare; piece = pieces.at(-1)) {
      line.push(piece)
      spare -= columnsOf(piece)
      pieces.pop()
    }
    const next = pieces.at(-1)
    if (next !== undefined && columnsOf(next) > width) {
      const [head, tail] = cut(next, spare, line.length === 0)
      line.push(head)
      pieces[pieces.length - 1] = tail
    }
    if (line.at(-1)?.trim() === '') line.pop()
    if (line.length) lines.push(line.join(''))
  }
  return lines
}

/** The part of a long word that fits: at least one character if the line is empty, so that the loop always advances. */
function cut(word: string, spare: number, atLeastOne: boolean): [head: string, tail: string] {
  let head = ''
  let left = spare
  for (const char of word) {
    left -= charWidth(char)
    if (left < 0 && !(atLeastOne && head === '')) break
    head += char
  }
  const hyphen = head.lastIndexOf('-')
  if (hyphen > 0 && /[^-]/.test(head.slice(0, hyphen))) head = head.slice(0, hyphen + 1)
  return [head, word.slice(head.length)]
}

function expandTabs(text: string): string {
  if (!text.includes('\t')) return text
  let out = ''
  for (const char of text) out += char === '\t' ? ' '.repeat(8 - ([...out].length % 8)) : char
  return out
}
