import { usage } from '../../core/errors.ts'
import { didYouMean } from '../../core/text.ts'

export type Warn = (message: string) => void

const spelling = (name: string): string => name.trim().toLowerCase().replaceAll(' ', '_')

/** `Cluster ID`, `cluster_id` and ` cluster id` are one column. */
export const sameColumn = (a: string, b: string): boolean => spelling(a) === spelling(b)

/** Where the column of that name is, or -1: exactly so first, then in any spelling. */
export function columnIndex(columns: readonly string[], wanted: string): number {
  const exact = columns.indexOf(wanted)
  return exact >= 0 ? exact : columns.findIndex(column => sameColumn(column, wanted))
}

/**
 * Which columns `-c` asks for, in the command's order. Like the stock client's it is an error when none is known, and
 * unknown ones among others are left out; unlike there, that is said.
 */
export function selectColumns(columns: readonly string[], wanted: readonly string[], warn: Warn): number[] {
  if (!wanted.length) return columns.map((_, index) => index)
  const known = new Set(wanted.map(name => columnIndex(columns, name)))
  const unknown = wanted.filter(name => columnIndex(columns, name) < 0)
  const near = unknown.map(name => didYouMean(name, columns)).find(Boolean)
  const there = `the columns are ${columns.join(', ')}`
  if (unknown.length === wanted.length) {
    throw usage(`no such column: ${unknown.map(name => `"${name}"`).join(', ')}`, {
      hint: near ? `${near} ${there}` : there,
    })
  }
  if (unknown.length)
    warn(`no such column, left out: ${unknown.map(name => `"${name}"`).join(', ')} (${near ?? there})`)
  return columns.flatMap((_, index) => (known.has(index) ? [index] : []))
}
