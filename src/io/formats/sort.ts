import { columnIndex, type Warn } from './columns.ts'
import { compareText, isRecord, pyRepr } from './python.ts'

export interface SortOptions {
  sortColumns: readonly string[]
  sortDirection?: 'asc' | 'desc' | undefined
}

/**
 * The row indexes in sorted order: by the first column named, then the next. Missing values sort last (first when
 * descending), equal rows keep their order, and a column whose values cannot be compared is skipped with a warning.
 */
export function sortedOrder(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  { sortColumns, sortDirection }: SortOptions,
  warn: Warn,
): number[] {
  let order = rows.map((_, index) => index)
  const sign = sortDirection === 'desc' ? -1 : 1
  for (const name of [...sortColumns].reverse()) {
    const column = columnIndex(columns, name)
    if (column < 0) {
      warn(`no such column to sort by: "${name}" (ignored)`)
      continue
    }
    try {
      order = order.toSorted((a, b) => sign * compare(rows[a]?.[column], rows[b]?.[column]))
    } catch (error) {
      if (!(error instanceof Unsortable)) throw error
      warn(`cannot sort by "${name}": its values have different types`)
    }
  }
  return order
}

class Unsortable extends Error {}

function compare(a: unknown, b: unknown): number {
  const missing = Number(a === null || a === undefined) - Number(b === null || b === undefined)
  if (missing || a === null || a === undefined) return missing
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a as number, b as number)
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b)
  // dictionaries have no order, but equal ones need none
  if (isRecord(a) && isRecord(b) && pyRepr(a) === pyRepr(b)) return 0
  throw new Unsortable()
}

/** A bigint can be compared with a number, but not subtracted from one. */
const compareNumbers = (a: number | bigint | boolean, b: number | bigint | boolean): number =>
  Number(a > b) - Number(a < b)

const isNumeric = (value: unknown): boolean => ['number', 'bigint', 'boolean'].includes(typeof value)

function compareLists(a: unknown[], b: unknown[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (pyRepr(a[i]) === pyRepr(b[i])) continue
    if (a[i] === null || b[i] === null) throw new Unsortable()
    return compare(a[i], b[i])
  }
  return a.length - b.length
}
