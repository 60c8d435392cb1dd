/** Magnum's dialect of JSON patch: three verbs, and values that are strings or numbers. */
import { usage } from '../../core/errors.ts'
import type { PatchOperation } from '../../model/change.ts'

/** As it is sent: paths begin with a slash. */
export type JsonPatch = PatchOperation[]

/** The server takes no other paths, `~1` for a slash included. */
const carried = /^(\/[\w-]+)+$/

export function jsonPatch(edits: readonly PatchOperation[]): JsonPatch {
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
