/** Magnum's dialect of JSON patch: three verbs, and values that are strings or numbers. */
import { usage } from '../../core/errors.ts'
import type { Edit } from '../../model/operation.ts'

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove'
  path: string
  value?: string | number | boolean
}

export type JsonPatch = PatchOperation[]

/** The server takes no other paths, `~1` for a slash included. */
const carried = /^(\/[\w-]+)+$/

export function jsonPatch(edits: readonly Edit[]): JsonPatch {
  return edits.map(({ op, path, value }) => {
    const pointer = `/${path}`
    if (!carried.test(pointer)) {
      const label = path.startsWith('labels/')
      throw usage(`Magnum cannot change "${path}" by itself: names there may hold letters, digits, _ and - only`, {
        hint: label ? 'of a template, --label KEY=VALUE and --no-label KEY can' : undefined,
      })
    }
    return { op, path: pointer, ...(value === undefined ? {} : { value }) }
  })
}
