import { copy, isMap, type Json } from '../object.ts'
import { itemIndex, itemKey } from './field-sets.ts'
import { listRule } from './merge-schema.ts'

/** Strategic merge of the built-in kinds: like a merge patch, but lists with merge keys are merged item by item. */
export function strategicPatch(target: Json, patch: Json, field = '', parent?: string): Json {
  if (isMap(patch)) {
    if (patch.$patch === 'replace') {
      const { $patch: _directive, ...rest } = patch
      return rest
    }
    const result: Record<string, Json> = isMap(target) ? { ...target } : {}
    for (const [key, value] of Object.entries(patch)) {
      if (key.startsWith('$')) continue
      if (value === null) delete result[key]
      else result[key] = strategicPatch(result[key], value, key, field || parent)
    }
    for (const [key, order] of Object.entries(patch)) {
      if (key.startsWith('$deleteFromPrimitiveList/')) {
        const list = key.slice('$deleteFromPrimitiveList/'.length)
        result[list] = (result[list] ?? []).filter((item: Json) => !(order as Json[]).includes(item))
      }
    }
    return result
  }
  if (!Array.isArray(patch) || !Array.isArray(target)) return patch
  const rule = strategicRule(parent, field)
  if (rule.kind === 'atomic') return patch
  const result = copy(target)
  for (const item of patch) {
    const segment = rule.kind === 'set' ? `v:${JSON.stringify(item)}` : itemKey(item, rule.keys)
    const index = itemIndex(result, segment)
    if (isMap(item) && item.$patch === 'delete') {
      if (index !== -1) result.splice(index, 1)
    } else if (index === -1) result.push(item)
    else if (rule.kind === 'map') result[index] = strategicPatch(result[index], item, field, parent)
  }
  return result
}

/** This kind of patch merges ports by number alone, server-side apply by number and protocol. */
function strategicRule(parent: string | undefined, field: string) {
  const rule = listRule(true, parent, field)
  return field === 'ports' && rule.kind === 'map' ? { ...rule, keys: rule.keys.slice(0, 1) } : rule
}
