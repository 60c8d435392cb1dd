/** Magnum's dialect of JSON patch: three verbs, and values that are strings or numbers. */
import { usage } from '../../core/errors.ts'
import type { PatchOperation } from '../../model/change.ts'

/** The wire format: paths begin with a slash. */
export type JsonPatch = PatchOperation[]

/** The server accepts no other paths, not even `~1` for a slash. */
const acceptedPath = /^(\/[\w-]+)+$/

export function jsonPatch(edits: readonly PatchOperation[]): JsonPatch {
  return edits.map(({ op, path, value }) => {
    const pointer = `/${path}`
    if (!acceptedPath.test(pointer)) {
      const label = path.startsWith('labels/')
      throw usage(`Magnum cannot change "${path}" alone: such names may contain only letters, digits, _ and -`, {
        hint: label ? 'for a template, use --label KEY=VALUE or --no-label KEY' : undefined,
      })
    }
    return { op, path: pointer, ...(value === undefined ? {} : { value }) }
  })
}
