import { pyStr } from './python.ts'

export type Quote = 'all' | 'minimal' | 'none' | 'nonnumeric'

/** Comma-separated lines, quoted as Python's csv writer does with a backslash as its escape character. */
export function csvText(columns: readonly string[], rows: readonly (readonly unknown[])[], quote: Quote): string {
  return [columns, ...rows].map(row => `${csvLine(row, quote)}\n`).join('')
}

function csvLine(row: readonly unknown[], quote: Quote): string {
  const line = row.map(value => csvField(value, quote)).join(',')
  // a single empty field would be an empty line, which readers take for no row at all
  return line === '' && row.length === 1 ? '""' : line
}

function csvField(value: unknown, quote: Quote): string {
  const text = value === null || value === undefined ? '' : pyStr(value)
  if (quote === 'none') return text.replace(/[,"\\\n]/g, '\\$&')
  const number = ['number', 'bigint', 'boolean'].includes(typeof value)
  const needed = quote === 'all' || (quote === 'nonnumeric' && !number) || /[,"\n]/.test(text)
  const escaped = text.replaceAll('\\', '\\\\')
  return needed ? `"${escaped.replaceAll('"', '""')}"` : escaped
}
