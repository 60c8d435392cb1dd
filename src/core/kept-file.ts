/** What is kept as JSON between runs: of a known format, as it should be throughout, and ours; else it is as good as none. */
import { parseBounded } from './bounded-json.ts'
import { writeAtomic } from './files.ts'
import { openOwn } from './own-file.ts'
import { object, type Shape } from './shape.ts'
import type { World } from './world.ts'

export interface KeptFormat {
  /** To be raised when the fields change: what another coe wrote is not guessed at. */
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
