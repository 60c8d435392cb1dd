/**
 * Would an apply change anything? Servers record which fields each manager has applied. If coe's fields are exactly those that it
 * would send, with the same values, the answer is no, and the request can be saved.
 */

import { fieldManager } from './change.ts'
import { contains } from './contains.ts'
import type { KubeObject } from './object.ts'

type Fields = { readonly [key: string]: Fields }

/** Returns false in doubt, so that the server decides. */
export function isAppliedAlready(live: KubeObject, wanted: KubeObject): boolean {
  const entries = live.metadata.managedFields?.filter(m => m.manager === fieldManager && m.operation === 'Apply') ?? []
  const [entry] = entries
  if (!entry || entries.length > 1 || entry.subresource || entry.apiVersion !== wanted.apiVersion) return false
  const { apiVersion: _, kind: __, metadata, ...rest } = wanted
  const { name: ___, namespace: ____, ...marks } = metadata
  // no manager owns the fields that identify the object
  const sent = Object.keys(marks).length > 0 ? { ...rest, metadata: marks } : rest
  return contains(live, wanted) && sameFields((entry.fieldsV1 ?? {}) as Fields, sent)
}

/** Does this field set contain exactly the fields of this value? */
function sameFields(fields: Fields, value: unknown): boolean {
  if (fields === null || typeof fields !== 'object') return false // not a field set
  const keys = Object.keys(fields)
  // an atomic field: all of its content is ours
  if (keys.length === 0) return true
  const kept = keys.filter(key => key !== '.')
  if (Array.isArray(value)) return sameItems(fields, kept, value)
  if (value === null || typeof value !== 'object') return false
  const sent = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return (
    kept.length === sent.length &&
    sent.every(([key, inner]) => {
      const below = fields[`f:${key}`]
      return below !== undefined && sameFields(below, inner)
    })
  )
}

/** The server records list items by key (`k:{"name":"x"}`) or by value (`v:"x"`). */
function sameItems(fields: Fields, kept: readonly string[], items: readonly unknown[]): boolean {
  if (kept.length !== items.length) return false
  return items.every(item =>
    kept.some(key => {
      const at = keyIn(key)
      return key.startsWith('v:') ? at === item : isKeyOf(at, item) && sameFields(fields[key] ?? {}, item)
    }),
  )
}

/** Undefined, which matches no item, if the key is damaged. */
function keyIn(key: string): unknown {
  try {
    return JSON.parse(key.slice(2))
  } catch {
    return undefined
  }
}

/** Parts of the key that were not sent are defaults that the server filled in. */
function isKeyOf(key: unknown, item: unknown): boolean {
  if (key === null || typeof key !== 'object' || item === null || typeof item !== 'object') return false
  const parts = Object.entries(key)
  const same = (part: string, value: unknown) => (item as Record<string, unknown>)[part] === value
  return (
    parts.every(([part, value]) => !Object.hasOwn(item, part) || same(part, value)) &&
    parts.some(([p, v]) => same(p, v))
  )
}
