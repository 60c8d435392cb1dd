import { isMap, type Json } from '../object.ts'

/** RFC 7396. Changes nothing; answers the patched value. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isMap(patch)) return patch
  const result: Record<string, Json> = isMap(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = mergePatch(result[key], value)
  }
  return result
}
