/** Runs a command's work for several items: each is tried, even if others fail, and reported when it ends. */
import { mapLimit } from '../../core/concurrency.ts'
import type { Context } from '../context.ts'
import type { Column, Result, Row } from '../spec.ts'

export const outcomeColumns = (noun: string, results: string): readonly Column[] => [
  { name: noun, type: 'string', help: 'name as given on the command line', nullable: false },
  { name: 'result', type: 'string', help: `${results} or failed`, nullable: false },
]

export interface ItemWork {
  /** Name of the column of items. */
  noun: string
  items: readonly string[]
  /** How many items at a time. The default is one, so that their lines are in order. */
  atOnce?: number
  /** Resolves with the word for the result. */
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
