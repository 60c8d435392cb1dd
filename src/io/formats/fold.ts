/** Folds messages between words, where the terminal itself would break them anywhere. */
import { columnsOf } from './width.ts'

/** Commands to paste: in quotes, or from a colon to the end of the line. A line break would end the command early. */
const pasted = /"(?:coe|kubectl|openstack) [^"]*"[^\s]*|(?<=(?:[:;] |^\s*))(?:coe|kubectl|openstack) [^;]*;?/g

/**
 * @param width of the terminal; undefined without a terminal: nothing is folded
 * @param label columns that are already taken on the first line
 */
export function fold(text: string, width: number | undefined, label = 0): string {
  if (width === undefined) return text
  return text
    .split('\n')
    .map((line, i) => foldLine(line, width, i === 0 ? label : 0))
    .join('\n')
}

function foldLine(line: string, width: number, label: number): string {
  if (columnsOf(line) + label <= width) return line
  const margin = /^ */.exec(line)?.[0] ?? ''
  const lines = [margin]
  let column = label + margin.length
  for (const piece of piecesOf(line.slice(margin.length))) {
    const wide = columnsOf(piece)
    const begun = (lines.at(-1) ?? '').length > margin.length
    if (begun && column + 1 + wide > width) {
      lines.push(margin + piece)
      column = margin.length + wide
    } else {
      lines[lines.length - 1] += `${begun ? ' ' : ''}${piece}`
      column += wide + (begun ? 1 : 0)
    }
  }
  return lines.join('\n')
}

/** Splits a line into words; a command to paste is one piece. */
function piecesOf(line: string): string[] {
  const pieces: string[] = []
  const words = (text: string) => pieces.push(...text.split(' ').filter(word => word !== ''))
  let at = 0
  for (const match of line.matchAll(pasted)) {
    words(line.slice(at, match.index))
    pieces.push(match[0].trimEnd())
    at = match.index + match[0].length
  }
  words(line.slice(at))
  return pieces
}
