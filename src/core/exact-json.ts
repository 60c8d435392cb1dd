/** JSON whose integers keep all their digits: JavaScript's own parser silently rounds them beyond 2^53. */
import { randomUUID } from 'node:crypto'

/** Shorter integers always fit into a number. */
const long = /\d{16}/
const stringOrNumber = /"(?:[^"\\]+|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g

/**
 * Turns integers that are too large for a number into bigints.
 * @param plain the result of `JSON.parse`, returned if no integer is too large
 */
export function withExactNumbers(text: string, plain: unknown): unknown {
  if (!long.test(text)) return plain
  const mark = `${randomUUID()} `
  const marked = text.replace(stringOrNumber, found => (isTooLarge(found) ? `"${mark}${found}"` : found))
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}

const isTooLarge = (token: string): boolean => /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))

/** Like `JSON.stringify`, which refuses bigints; writes them as plain numbers. */
export function stringifyExact(value: unknown): string {
  const mark = `${randomUUID()} `
  let marked = false
  const text = JSON.stringify(value, (_, item: unknown) => {
    if (typeof item !== 'bigint') return item
    marked = true
    return mark + item
  })
  return marked ? text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1') : text
}
