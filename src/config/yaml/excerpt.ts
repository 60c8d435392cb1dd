/** The line of a file where an error is, with a caret under the position and secrets masked. */
import { secretNamePattern } from '../../io/redact-names.ts'

// broader than the list of names: in a broken file a name may be broken too
const secretWord = new RegExp(`(?:${secretNamePattern}|pass|secret|token|private)[\\w-]*["']?`, 'i')
const keyShape = /^\s*(?:- +)?["']?[\w./@-]+["']?\s*:(?:\s|$)/
const mask = '********'
const longest = 100

/** Masks everything after a word that names a secret, since the syntax of a broken line cannot be trusted. */
function maskSecrets(line: string): string {
  const found = secretWord.exec(line)
  const visible = found
    ? `${line.slice(0, found.index + found[0].length)}${line.includes(':') ? ':' : ''} ${mask}`
    : line
  return visible.replace(/:\/\/[^@/\s]*@/g, `://${mask}@`)
}

/** Lines that continue a value (a PEM block, base64, folded text) are as secret as their key. */
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
  // the parser counts a tab as one column, so it must take one on the screen for the caret to be right
  shown = shown.replaceAll('\t', '→').replace(/[\x00-\x1f\x7f-\x9f]/g, '?')
  const label = `  ${line} | `
  return `${label}${shown}\n${' '.repeat(label.length - 2)}| ${' '.repeat(caret)}^`
}
