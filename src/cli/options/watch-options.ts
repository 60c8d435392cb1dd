/** `--watch` of a list: its options, and the choice between one list and repeated ones. */

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

/** How to identify and describe a row, for lines about changes. */
export interface Subject {
  /** Identifies the row across lists. */
  id(row: Row): string
  name(row: Row): string
  /** A line is printed when this text changes. */
  state(row: Row): string
}

export interface Watchable {
  output: OutputSpec
  subject: Subject
  /** One list. Errors about parts of it go to `report`, and the rest is shown. */
  list(report: (error: unknown) => void): Promise<Result>
}

/** Returns one list; with `--watch`, lists until Ctrl-C. */
export async function listOrWatch(
  context: Context,
  { watch, interval }: WatchValues,
  watchable: Watchable,
): Promise<Result | undefined> {
  if (interval !== undefined && !watch) throw usage('--interval has no effect without --watch')
  if (!watch) return watchable.list(error => context.report(error))
  return watchList(context, watchable, interval ?? 5_000)
}
