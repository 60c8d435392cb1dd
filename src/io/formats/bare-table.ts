/** The table of upstream's plain commands: everything aligned left, null as a dash, never narrowed to fit. */
import { sanitize } from '../sanitize.ts'
import type { Sink } from '../streams.ts'
import { tableText } from './table.ts'

export function bareTable(columns: readonly string[], rows: readonly (readonly unknown[])[], sink: Sink): string {
  const shown = (cell: unknown) => {
    if (cell === null || cell === undefined) return '-'
    return sink.isTTY && typeof cell === 'string' ? sanitize(cell).replaceAll('\t', ' ') : cell
  }
  return tableText({
    columns,
    rows: rows.map(row => row.map(shown)),
    right: columns.map(() => false),
    width: undefined,
    least: 8,
  })
}

/** One object, its fields in the order of the server's answer. */
export const propertyTable = (object: object, sink: Sink): string =>
  bareTable(['Property', 'Value'], Object.entries(object), sink)
