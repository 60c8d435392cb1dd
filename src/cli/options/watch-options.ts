/** `--watch` of a list: its options, and the choice between one look and many. */

import { usage } from '../../core/errors.ts'
import type { Context } from '../context.ts'
import { duration, flag } from '../parse/values.ts'
import { watchList } from '../print/watch.ts'
import type { OutputSpec, Result, Row } from '../spec.ts'

export const watchOptions = {
  watch: flag(
    'watch',
    'check repeatedly: update a table, or print a line for each change if the output is not a terminal',
  ),
  interval: duration('interval', 'how often --watch checks', { fallback: '5s' }),
}

export interface WatchValues {
  watch: boolean
  interval: number | undefined
}

/** What one row is about, in lines that tell changes. */
export interface Subject {
  /** Tells the row from all others, in every look. */
  id(row: Row): string
  name(row: Row): string
  /** A line is printed when this becomes another text. */
  state(row: Row): string
}

export interface Watchable {
  output: OutputSpec
  subject: Subject
  /** One look. What it cannot see goes to `report`, and the rest is shown. */
  look(report: (error: unknown) => void): Promise<Result>
}

/** The result of one look; with `--watch` it looks until Ctrl-C. */
export async function listOrWatch(
  context: Context,
  { watch, interval }: WatchValues,
  watchable: Watchable,
): Promise<Result | undefined> {
  if (interval !== undefined && !watch) throw usage('--interval says how often --watch looks, which is not given')
  if (!watch) return watchable.look(error => context.report(error))
  return watchList(context, watchable, interval ?? 5_000)
}
