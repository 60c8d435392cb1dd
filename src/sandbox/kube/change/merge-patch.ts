import { isMap, type Json } from '../object.ts'

/** RFC 7396. Returns the patched value without changing the original. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isMap(patch)) return patch
  const result: Record<string, Json> = isMap(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = mergePatch(result[key], value)
  }
  return result
}
