/** What a value from outside must look like before anything depends on it: checks that say where it is otherwise. */

export interface Mismatch {
  /** `[3].name`; empty for the value itself. */
  path: string
  expected: string
  found: string
}

/** What is wrong; undefined where all is as it should be. */
export type Shape = (value: unknown) => Mismatch | undefined

const wrong = (expected: string, value: unknown): Mismatch => ({ path: '', expected, found: kindOf(value) })

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`
}

export const anything: Shape = () => undefined
export const text: Shape = value => (typeof value === 'string' ? undefined : wrong('a text', value))
export const flag: Shape = value => (typeof value === 'boolean' ? undefined : wrong('a boolean', value))
export const number: Shape = value =>
  typeof value === 'number' || typeof value === 'bigint' ? undefined : wrong('a number', value)
/** What a cell or a label may hold. */
export const scalar: Shape = value =>
  value !== undefined && (value === null || typeof value !== 'object') ? undefined : wrong('a plain value', value)

export const nullable =
  (shape: Shape): Shape =>
  value =>
    value === null ? undefined : shape(value)

/** A text of which more is known: `expected` says what. */
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

/** Whatever its keys are, each has such a value. */
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

/** Fields that must be there, and those that may be; what else there is does not matter. */
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

/** `"clusters[3].name" is a number where a text was expected` */
export function mismatchText({ path, expected, found }: Mismatch): string {
  const what = path === '' ? 'it' : `"${path.replace(/^\./, '')}"`
  return found === 'missing' ? `${what} is missing` : `${what} is ${found} where ${expected} was expected`
}
