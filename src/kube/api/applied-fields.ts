/**
 * Would an apply change anything? Servers keep which fields each manager has applied: where ours are the very fields that we
 * would send, with the very values, the answer is no, and the request can be saved.
 */

import { fieldManager } from './change.ts'
import { contains } from './contains.ts'
import type { KubeObject } from './object.ts'

type Fields = { readonly [key: string]: Fields }

/** In doubt it says no: then the server is asked. */
export function isAppliedAlready(live: KubeObject, wanted: KubeObject): boolean {
  const entries = live.metadata.managedFields?.filter(m => m.manager === fieldManager && m.operation === 'Apply') ?? []
  const [entry] = entries
  if (!entry || entries.length > 1 || entry.subresource || entry.apiVersion !== wanted.apiVersion) return false
  const { apiVersion: _, kind: __, metadata, ...rest } = wanted
  const { name: ___, namespace: ____, ...marks } = metadata
  // which object it is, is nobody's field
  const sent = Object.keys(marks).length > 0 ? { ...rest, metadata: marks } : rest
  return contains(live, wanted) && sameFields((entry.fieldsV1 ?? {}) as Fields, sent)
}

/** Are the fields of this set those of this value, no more and no fewer? */
function sameFields(fields: Fields, value: unknown): boolean {
  if (fields === null || typeof fields !== 'object') return false // no server keeps such
  const keys = Object.keys(fields)
  // kept as one: whatever is in it is ours
  if (keys.length === 0) return true
  const kept = keys.filter(key => key !== '.')
  if (Array.isArray(value)) return sameItems(fields, kept, value)
  if (value === null || typeof value !== 'object') return false
  const said = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return (
    kept.length === said.length &&
    said.every(([key, inner]) => {
      const below = fields[`f:${key}`]
      return below !== undefined && sameFields(below, inner)
    })
  )
}

/** Items are kept by key (`k:{"name":"x"}`) or by value (`v:"x"`). */
function sameItems(fields: Fields, kept: readonly string[], items: readonly unknown[]): boolean {
  if (kept.length !== items.length) return false
  return items.every(item =>
    kept.some(key => {
      const at = keyIn(key)
      return key.startsWith('v:') ? at === item : isKeyOf(at, item) && sameFields(fields[key] ?? {}, item)
    }),
  )
}

/** Undefined, which is no key of anything, where it is damaged. */
function keyIn(key: string): unknown {
  try {
    return JSON.parse(key.slice(2))
  } catch {
    return undefined
  }
}

/** A part of a key that was not sent is one that the server filled in. */
function isKeyOf(key: unknown, item: unknown): boolean {
  if (key === null || typeof key !== 'object' || item === null || typeof item !== 'object') return false
  const parts = Object.entries(key)
  const same = (part: string, value: unknown) => (item as Record<string, unknown>)[part] === value
  return (
    parts.every(([part, value]) => !Object.hasOwn(item, part) || same(part, value)) &&
    parts.some(([p, v]) => same(p, v))
  )
}
