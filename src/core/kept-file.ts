/** JSON files kept between runs. A file of another format, of an unexpected shape or of another user is ignored. */
import { parseBounded } from './bounded-json.ts'
import { writeAtomic } from './files.ts'
import { openOwn } from './own-file.ts'
import { object, type Shape } from './shape.ts'
import type { World } from './world.ts'

export interface KeptFormat {
  /** Raise it when the fields change, so that files of another coe are ignored rather than misread. */
  format: number
  fields: Readonly<Record<string, Shape>>
}

export function readKept<T>(path: string, { format, fields }: KeptFormat, { uid }: Pick<World, 'uid'>): T | undefined {
  const { data } = openOwn(path, uid)
  if (data === undefined) return undefined
  try {
    const kept = parseBounded(data.toString('utf8')) as { format?: unknown } | null
    return kept?.format === format && object(fields)(kept) === undefined ? (kept as T) : undefined
  } catch {
    return undefined
  }
}

export const writeKept = (path: string, { format }: KeptFormat, content: object): Promise<void> =>
  writeAtomic(path, `${JSON.stringify({ format, ...content })}\n`)
