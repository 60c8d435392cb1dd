/** Commands that take several items: each gets its turn, whatever becomes of the others, and is told of in its place. */
import { mapLimit, settle } from '../core/concurrency.ts'
import type { Context } from './context.ts'
import type { Column, Result, Row } from './spec.ts'

export const outcomeColumns = (noun: string, results: string): readonly Column[] => [
  { name: noun, type: 'string', help: 'as it was named on the command line', nullable: false },
  { name: 'result', type: 'string', help: `${results} or failed`, nullable: false },
]

export interface Turns {
  /** Name of the column that says which item. */
  noun: string
  items: readonly string[]
  /** How many at a time; one, so that their lines come in their order, unless told otherwise. */
  atOnce?: number
  /** Resolves with the word for what became of it. */
  work(item: string): Promise<string>
}

export async function severally(context: Context, { noun, items, atOnce = 1, work }: Turns): Promise<Result> {
  const each = [...new Set(items)]
  const done = await mapLimit(each, atOnce, item => settle(work(item)))
  const rows: Row[] = each.map((item, i) => {
    const outcome = done[i]
    if (outcome?.ok) return { [noun]: item, result: outcome.value }
    context.report(outcome?.error)
    return { [noun]: item, result: 'failed' }
  })
  return { rows, anyWorked: done.some(d => d.ok) }
}
