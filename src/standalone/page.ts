/** Which rows of a list, and in which order: servers do this elsewhere; here there is none. */
import { notFound, usage } from '../core/errors.ts'
import { didYouMean } from '../core/text.ts'
import type { Page } from '../model/operation.ts'

export function page<T extends { uuid: string | null; name: string | null }>(
  rows: T[],
  { sortKey, sortDir, marker, limit }: Page,
): T[] {
  const sorted = sortKey === undefined ? [...rows] : rows.toSorted(by(sortKey, rows))
  if (sortDir === 'desc') sorted.reverse()
  const start = marker === undefined ? 0 : sorted.findIndex(row => row.uuid === marker || row.name === marker) + 1
  if (marker !== undefined && start === 0)
    throw notFound(`there is no "${marker}" in the list to begin after (--marker)`)
  return sorted.slice(start, limit === undefined ? undefined : start + limit)
}

function by<T extends object>(key: string, rows: readonly T[]): (one: T, other: T) => number {
  const known = [...new Set(rows.flatMap(row => Object.keys(row)))]
  if (rows.length > 0 && !known.includes(key)) {
    throw usage(`--sort-key: nothing here has a field "${key}"`, {
      hint: didYouMean(key, known) ?? `there are: ${known.sort().join(', ')}`,
    })
  }
  const value = (row: T) => (row as Record<string, unknown>)[key] ?? ''
  return (one, other) => {
    const [a, b] = [value(one), value(other)]
    if (typeof a === 'number' && typeof b === 'number') return a - b
    const [left, right] = [String(a), String(b)]
    return left < right ? -1 : left > right ? 1 : 0
  }
}
