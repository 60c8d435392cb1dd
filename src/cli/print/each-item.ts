/** Commands that take several items: each gets its turn, whatever becomes of the others, and is told of when it ends. */
import { mapLimit } from '../../core/concurrency.ts'
import type { Context } from '../context.ts'
import type { Column, Result, Row } from '../spec.ts'

export const outcomeColumns = (noun: string, results: string): readonly Column[] => [
  { name: noun, type: 'string', help: 'name as given on the command line', nullable: false },
  { name: 'result', type: 'string', help: `${results} or failed`, nullable: false },
]

export interface ItemWork {
  /** Name of the column that says which item. */
  noun: string
  items: readonly string[]
  /** How many at a time; one, so that their lines come in their order, unless told otherwise. */
  atOnce?: number
  /** Resolves with the word for what became of it. */
  work(item: string): Promise<string>
}

export async function forEachItem(context: Context, { noun, items, atOnce = 1, work }: ItemWork): Promise<Result> {
  const rows = await mapLimit([...new Set(items)], atOnce, async (item): Promise<Row> => {
    try {
      return { [noun]: item, result: await work(item) }
    } catch (error) {
      context.report(error)
      return { [noun]: item, result: 'failed' }
    }
  })
  return { rows, anyWorked: rows.some(row => row.result !== 'failed') }
}
