/** Options of all lists. */
import { CoeError } from '../../core/errors.ts'
import type { Page } from '../../model/operation.ts'
import { choice, flag, int, text } from '../parse/values.ts'

export const pageOptions = {
  limit: int('limit', 'n', 'maximum number (default: all)', { min: 1 }),
  marker: text('marker', 'id', 'start after this one'),
  sortKey: text('sort-key', 'field', 'field that the server sorts by'),
  sortDir: choice('sort-dir', ['asc', 'desc'], 'direction in which the server sorts'),
}

export interface PageValues {
  limit: number | undefined
  marker: string | undefined
  sortKey: string | undefined
  sortDir: 'asc' | 'desc' | undefined
}

export function pageOf(values: PageValues): Page {
  return {
    ...(values.limit === undefined ? {} : { limit: values.limit }),
    ...(values.marker === undefined ? {} : { marker: values.marker }),
    ...(values.sortKey === undefined ? {} : { sortKey: values.sortKey }),
    ...(values.sortDir === undefined ? {} : { sortDir: values.sortDir }),
  }
}

export const ignoreNotFound = flag('ignore-not-found', 'treat a missing one as success')

/** Deleting a missing object fails with exit 3, or succeeds with --ignore-not-found. */
export async function unlessMissing(ignore: boolean, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (ignore && error instanceof CoeError && error.outcome === 'notFound') return false
    throw error
  }
}
