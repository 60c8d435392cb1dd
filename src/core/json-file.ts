/** JSON files that coe writes for later runs. A file of another format, shape or user is ignored. */
import { parseBounded } from './bounded-json.ts'
import { writeAtomic } from './files.ts'
import { openOwn } from './own-file.ts'
import { object, type Shape } from './shape.ts'
import type { World } from './world.ts'

export interface JsonFileFormat {
  /** Raise it when the fields change, so that files of another coe are ignored rather than misread. */
  format: number
  fields: Readonly<Record<string, Shape>>
}

export function readJsonFile<T>(
  path: string,
  { format, fields }: JsonFileFormat,
  { uid }: Pick<World, 'uid'>,
): T | undefined {
  const { data } = openOwn(path, uid)
  if (data === undefined) return undefined
  try {
    const content = parseBounded(data.toString('utf8')) as { format?: unknown } | null
    return content?.format === format && object(fields)(content) === undefined ? (content as T) : undefined
  } catch {
    return undefined
  }
}

export const writeJsonFile = (path: string, { format }: JsonFileFormat, content: object): Promise<void> =>
  writeAtomic(path, `${JSON.stringify({ format, ...content })}\n`)
