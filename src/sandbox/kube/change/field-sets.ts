import { isMap, type Json, same } from '../object.ts'
import { isAtomicMap, keyDefaults, listRule } from './merge-schema.ts'

/** A path into an object, in the segments of FieldsV1: `f:spec`, `k:{"name":"web"}`, `v:"x"`. */
export type Path = string[]
/** A set of paths, keyed by themselves. */
export type FieldSet = Map<string, Path>

const joined = (path: Path) => path.join('\u0000')
const without = new Set(['f:apiVersion', 'f:kind'])
/** Fields that no manager owns: the server fills them, or they are the object's identity. */
const unowned = new Set(
  [
    'name',
    'namespace',
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'deletionTimestamp',
    'managedFields',
    'selfLink',
    'deletionGracePeriodSeconds',
    'generateName',
  ].map(field => `f:${field}`),
)

export function itemKey(item: Json, keys: string[]): string {
  const found: Record<string, Json> = {}
  for (const key of [...keys].sort()) {
    const value = item?.[key] ?? keyDefaults[key]
    if (value !== undefined) found[key] = value
  }
  return `k:${JSON.stringify(found)}`
}

/** Every field that `object` sets. */
export function fieldsOf(object: Json, builtin: boolean): FieldSet {
  const set: FieldSet = new Map()
  const add = (path: Path) => void set.set(joined(path), path)
  const walk = (value: Json, path: Path, field: string, parent: string | undefined) => {
    if (isMap(value)) {
      const names = Object.keys(value)
      if (names.length === 0 || isAtomicMap(builtin, field)) return add(path)
      for (const name of names) walk(value[name], [...path, `f:${name}`], name, field || parent)
      return
    }
    if (!Array.isArray(value)) return add(path)
    const rule = listRule(builtin, parent, field)
    if (rule.kind === 'atomic' || value.length === 0) return add(path)
    for (const item of value) {
      if (rule.kind === 'set') add([...path, `v:${JSON.stringify(item)}`])
      else {
        const itemPath = [...path, itemKey(item, rule.keys)]
        add(itemPath)
        for (const name of Object.keys(item)) walk(item[name], [...itemPath, `f:${name}`], name, field)
      }
    }
  }
  for (const name of Object.keys(object)) {
    if (without.has(`f:${name}`)) continue
    if (name !== 'metadata') walk(object[name], [`f:${name}`], name, undefined)
    else {
      for (const inner of Object.keys(object.metadata)) {
        if (!unowned.has(`f:${inner}`)) walk(object.metadata[inner], ['f:metadata', `f:${inner}`], inner, 'metadata')
      }
    }
  }
  return set
}

/** The index of the list item that a `k:` or `v:` segment refers to. */
export function itemIndex(list: Json, segment: string): number {
  if (!Array.isArray(list)) return -1
  const wanted = JSON.parse(segment.slice(2))
  if (segment.startsWith('v:')) return list.findIndex(item => same(item, wanted))
  return list.findIndex(item => Object.keys(wanted).every(key => same(item?.[key] ?? keyDefaults[key], wanted[key])))
}

/** The value at the path, or undefined. */
export function valueAt(object: Json, path: Path): Json {
  let value = object
  for (const segment of path) {
    if (value === undefined || value === null) return undefined
    if (segment.startsWith('f:')) value = value[segment.slice(2)]
    else {
      const index = itemIndex(value, segment)
      value = index === -1 ? undefined : value[index]
    }
  }
  return value
}

/** Removes the value at the path, and maps that become empty. Changes `object`. */
export function removeAt(object: Json, path: Path): void {
  const parent = valueAt(object, path.slice(0, -1))
  const last = path.at(-1) as string
  if (parent === undefined || parent === null) return
  if (last.startsWith('f:')) delete parent[last.slice(2)]
  else {
    const index = itemIndex(parent, last)
    if (index !== -1) parent.splice(index, 1)
  }
  const empty = Array.isArray(parent) ? parent.length === 0 : Object.keys(parent).length === 0
  if (empty && path.length > 2 && (path.at(-2) as string).startsWith('f:')) removeAt(object, path.slice(0, -1))
}

export function encodeFields(set: FieldSet): Json {
  const tree: Json = {}
  for (const path of set.values()) {
    let node = tree
    for (const segment of path) {
      node[segment] ??= {}
      node = node[segment]
    }
  }
  // a dot marks a path that is a member itself beside its subpaths
  for (const path of set.values()) {
    let node = tree
    for (const segment of path) node = node[segment]
    if (Object.keys(node).length > 0) node['.'] = {}
  }
  return tree
}

export function decodeFields(tree: Json): FieldSet {
  const set: FieldSet = new Map()
  const walk = (node: Json, path: Path) => {
    const names = Object.keys(node)
    if (path.length > 0 && (names.length === 0 || '.' in node)) set.set(joined(path), path)
    for (const name of names) if (name !== '.') walk(node[name], [...path, name])
  }
  walk(tree ?? {}, [])
  return set
}

/** `.spec.template.spec.containers[name="web"].image` */
export function describePath(path: Path): string {
  let text = ''
  for (const segment of path) {
    if (segment.startsWith('f:')) text += `.${segment.slice(2)}`
    else if (segment.startsWith('v:')) text += `[=${segment.slice(2)}]`
    else {
      const keys = Object.entries(JSON.parse(segment.slice(2)))
      text += `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`
    }
  }
  return text
}
