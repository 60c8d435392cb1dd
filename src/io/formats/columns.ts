import { usage } from '../../core/errors.ts'
import { didYouMean } from '../../core/text.ts'

export type Warn = (message: string) => void

const spelling = (name: string): string => name.trim().toLowerCase().replaceAll(' ', '_')

/** `Cluster ID`, `cluster_id` and ` cluster id` are one column. */
export const sameColumn = (a: string, b: string): boolean => spelling(a) === spelling(b)

/** The index of the column of that name, or -1. An exact match wins over another spelling. */
export function columnIndex(columns: readonly string[], wanted: string): number {
  const exact = columns.indexOf(wanted)
  return exact >= 0 ? exact : columns.findIndex(column => sameColumn(column, wanted))
}

/**
 * The columns that `-c` asks for, in the command's order. As in the stock client, unknown columns are an error if none
 * is known, and are left out otherwise; unlike the stock client, coe then warns.
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
  if (unknown.length) warn(`unknown column ignored: ${unknown.map(name => `"${name}"`).join(', ')} (${near ?? there})`)
  return columns.flatMap((_, index) => (known.has(index) ? [index] : []))
}
