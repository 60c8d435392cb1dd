/** The shapes of values from outside: checks that say where a value differs. */

export interface Mismatch {
  /** `[3].name`; empty for the value itself. */
  path: string
  expected: string
  found: string
}

/** Returns what is wrong, or undefined if the value is valid. */
export type Shape = (value: unknown) => Mismatch | undefined

const wrong = (expected: string, value: unknown): Mismatch => ({ path: '', expected, found: kindOf(value) })

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return `a ${typeof value}`
}

export const anything: Shape = () => undefined
export const text: Shape = value => (typeof value === 'string' ? undefined : wrong('a string', value))
export const flag: Shape = value => (typeof value === 'boolean' ? undefined : wrong('a boolean', value))
export const number: Shape = value =>
  typeof value === 'number' || typeof value === 'bigint' ? undefined : wrong('a number', value)
/** The values that a cell or a label may have. */
export const scalar: Shape = value =>
  value !== undefined && (value === null || typeof value !== 'object') ? undefined : wrong('a plain value', value)

export const nullable =
  (shape: Shape): Shape =>
  value =>
    value === null ? undefined : shape(value)

/** A string that must also satisfy `fits`; `expected` describes it. */
export const textLike =
  (expected: string, fits: (text: string) => boolean): Shape =>
  value =>
    typeof value === 'string' && fits(value) ? undefined : { ...wrong(expected, value), expected }

export const list =
  (item: Shape): Shape =>
  value => {
    if (!Array.isArray(value)) return wrong('a list', value)
    for (let i = 0; i < value.length; i++) {
      const found = item(value[i])
      if (found) return { ...found, path: `[${i}]${found.path}` }
    }
    return undefined
  }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object with any keys, whose values all have one shape. */
export const record =
  (item: Shape): Shape =>
  value => {
    if (!isObject(value)) return wrong('an object', value)
    for (const key of Object.keys(value)) {
      const found = item(value[key])
      if (found) return { ...found, path: `.${key}${found.path}` }
    }
    return undefined
  }

/** An object with required and optional fields; other fields are ignored. */
export function object(fields: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Shape {
  const all = [...Object.entries(fields), ...Object.entries(optional)]
  const needed = Object.keys(fields).length
  return value => {
    if (!isObject(value)) return wrong('an object', value)
    for (let i = 0; i < all.length; i++) {
      const [key, shape] = all[i] as [string, Shape]
      const field = Object.hasOwn(value, key) ? value[key] : undefined
      if (field === undefined && i >= needed) continue
      const found = shape(field)
      if (found) return { ...found, path: `.${key}${found.path}` }
    }
    return undefined
  }
}

/** `"clusters[3].name" is a number where a string was expected` */
export function mismatchText({ path, expected, found }: Mismatch): string {
  const what = path === '' ? 'it' : `"${path.replace(/^\./, '')}"`
  return found === 'missing' ? `${what} is missing` : `${what} is ${found} where ${expected} was expected`
}
