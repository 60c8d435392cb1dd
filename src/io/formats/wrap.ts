import { charWidth, columnsOf } from './width.ts'

/**
 * Places where a line may end, as Python's textwrap sees them: around spaces, around a dash `--` between words, and
 * after a hyphen that joins letters (`master-count`, not `10-12`).
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

/** One line of text as several of at most `width` columns; longer words are cut, after a hyphen where there is one. */
export function wrapLine(text: string, width: number): string[] {
  const pieces = expandTabs(text)
    .replace(/[\v\f\r]/g, ' ')
    .split(seam)
    .reverse()
  const lines: string[] = []
  while (pieces.length) {
    const line: string[] = []
    let room = width
    if (lines.length && pieces.at(-1)?.trim() === '') pieces.pop()
    for (let piece = pieces.at(-1); piece !== undefined && columnsOf(piece) <= room; piece = pieces.at(-1)) {
      line.push(piece)
      room -= columnsOf(piece)
      pieces.pop()
    }
    const next = pieces.at(-1)
    if (next !== undefined && columnsOf(next) > width) {
      const [head, tail] = cut(next, room, line.length === 0)
      line.push(head)
      pieces[pieces.length - 1] = tail
    }
    if (line.at(-1)?.trim() === '') line.pop()
    if (line.length) lines.push(line.join(''))
  }
  return lines
}

/** What of a long word fits; at least one character where the line has nothing else, so that it always gets shorter. */
function cut(word: string, room: number, atLeastOne: boolean): [head: string, tail: string] {
  let head = ''
  let left = room
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
