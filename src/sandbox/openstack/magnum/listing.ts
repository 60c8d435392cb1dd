import type { Call } from './context.ts'
import { uuidPattern } from './context.ts'
import { invalid, refuse, unknownArgument } from './refusals.ts'

/** Query parameters are arguments of a Python function, so the error for an unknown one names it. */
export function onlyQuery(call: Call, ...known: string[]): void {
  for (const name of call.request.query.keys()) if (!known.includes(name)) throw unknownArgument(name)
}

export interface ListOptions<T> {
  /** In order of id. */
  rows: T[]
  view: (row: T) => object
  plural: string
  /** The columns of the database. */
  columns: readonly string[]
  /** The marker of a row: of the last row on the previous page. */
  marker: (row: T) => string
  noMarker: (marker: string) => Error
  /** The path of the next page, below `/v1/`. */
  path: string
  numericMarker?: boolean
  extraQuery?: readonly string[]
}

/**
 * A page of rows. `next` is the address of the next page, and is present whenever the page is full, even if nothing
 * follows.
 */
export function list<T>(call: Call, options: ListOptions<T>): object {
  onlyQuery(call, 'limit', 'marker', 'sort_key', 'sort_dir', ...(options.extraQuery ?? []))
  const { query, origin } = call.request
  const marker = query.get('marker')
  if (marker !== null && !(options.numericMarker ? /^\d+$/ : uuidPattern).test(marker)) {
    throw options.numericMarker ? notInt('marker', marker) : notUuid(marker)
  }
  const limit = readLimit(query.get('limit'), call.state.maxLimit)
  const sortKey = query.get('sort_key') ?? 'id'
  const sortDir = query.get('sort_dir') ?? 'asc'
  if (sortDir !== 'asc' && sortDir !== 'desc') {
    throw refuse(400, `Invalid sort direction: ${sortDir}. Acceptable values are 'asc' or 'desc'`)
  }
  if (sortKey !== 'id' && !options.columns.includes(sortKey)) {
    throw refuse(400, `The sort_key value "${sortKey}" is an invalid field for sorting`)
  }
  const sorted = options.rows.toSorted(by(sortKey, sortDir))
  let start = 0
  if (marker !== null) {
    start = sorted.findIndex(row => options.marker(row) === marker) + 1
    if (start === 0) throw options.noMarker(marker)
  }
  const page = sorted.slice(start, start + limit)
  const last = page.at(-1)
  const shown: Record<string, unknown> = { [options.plural]: page.map(options.view) }
  if (last !== undefined && page.length === limit) {
    const after = `sort_key=${sortKey}&sort_dir=${sortDir}&limit=${limit}&marker=${options.marker(last)}`
    shown.next = `${origin}/v1/${options.path}?${after}`
  }
  return shown
}

export const notUuid = (marker: string): Error =>
  invalid('marker', marker, `unable to convert to uuid. Error: Expected a uuid but received ${marker}.`)

const notInt = (name: string, text: string): Error =>
  invalid(name, text, `unable to convert to int. Error: invalid literal for int() with base 10: '${text}'`)

function readLimit(text: string | null, most: number): number {
  if (text === null) return most
  if (!/^\s*[+-]?\d+\s*$/.test(text)) throw notInt('limit', text)
  const limit = Number(text)
  if (limit <= 0) throw refuse(400, 'Limit must be positive')
  return Math.min(limit, most)
}

/** Ties are ordered by id in either direction; null comes first, as in the database. */
function by<T>(key: string, direction: 'asc' | 'desc') {
  const sign = direction === 'asc' ? 1 : -1
  const of = (row: T, name: string) => (row as Record<string, unknown>)[name]
  return (a: T, b: T): number => {
    const [x, y] = [of(a, key), of(b, key)]
    if (x !== y) {
      if (x === null || x === undefined) return -sign
      if (y === null || y === undefined) return sign
      return x < y ? -sign : sign
    }
    return sign * (Number(of(a, 'id')) - Number(of(b, 'id')))
  }
}
