/** JSON whose whole numbers keep all their digits: beyond 2^53 JavaScript's own parser rounds them in silence. */
import { randomUUID } from 'node:crypto'

/** Nothing shorter can be too large for a number. */
const long = /\d{16}/
const stringOrNumber = /"(?:[^"\\]+|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g

/**
 * Whole numbers that a number cannot hold become bigints.
 * @param plain what `JSON.parse` makes of the text: the answer where there are none
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

/** `JSON.stringify` refuses bigints; here they are the numbers that they were. */
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
