/** The line of a file that an error is about, with a caret under the place, and no secret in it. */
import { secretNamePattern } from '../../io/redact-names.ts'

// broader than the names themselves: in a broken file a name may be broken too
const secretWord = new RegExp(`(?:${secretNamePattern}|pass|secret|token|private)[\\w-]*["']?`, 'i')
const keyShape = /^\s*(?:- +)?["']?[\w./@-]+["']?\s*:(?:\s|$)/
const mask = '********'
const longest = 100

/** Masks whatever follows a word that names a secret: a mistake can be anything, so nothing after it is shown. */
function maskSecrets(line: string): string {
  const found = secretWord.exec(line)
  const visible = found
    ? `${line.slice(0, found.index + found[0].length)}${line.includes(':') ? ':' : ''} ${mask}`
    : line
  return visible.replace(/:\/\/[^@/\s]*@/g, `://${mask}@`)
}

/** Lines that continue a value (a PEM block, base64, a folded text) are as secret as the key that they belong to. */
function belongsToSecret(lines: readonly string[], index: number): boolean {
  for (let i = index; i >= 0; i--) {
    const line = lines[i] as string
    if (keyShape.test(line)) return i < index && secretWord.test(line)
  }
  return index > 0 && secretWord.test(lines.slice(0, index).join('\n'))
}

/** `line` and `column` count from 1. */
export function excerptOf(text: string, line: number, column: number): string {
  const lines = text.split(/\r\n?|\n/)
  const source = lines[line - 1] ?? ''
  let shown = belongsToSecret(lines, line - 1) ? mask : maskSecrets(source)
  let caret = Math.min(column - 1, shown.length)
  if (shown.length > longest) {
    const from = Math.max(0, caret - longest / 2)
    shown = shown.slice(from, from + longest)
    caret -= from
  }
  // a tab is one column to the parser, and must be one on the screen for the caret to point at the place
  shown = shown.replaceAll('\t', '→').replace(/[\x00-\x1f\x7f-\x9f]/g, '?')
  const label = `  ${line} | `
  return `${label}${shown}\n${' '.repeat(label.length - 2)}| ${' '.repeat(caret)}^`
}
