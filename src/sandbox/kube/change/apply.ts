import { type Cause, KubeFailure } from '../failure.ts'
import { copy, isMap, type Json, type KubeObject, same } from '../object.ts'
import { describePath, type FieldSet, fieldsOf, itemIndex, itemKey, removeAt, valueAt } from './field-sets.ts'
import { encodeOwnerships, type Manager, type Ownership, ownershipsOf, sameManager } from './managed-fields.ts'
import { isAtomicMap, listRule } from './merge-schema.ts'

export interface ApplyOptions {
  manager: Manager
  force: boolean
  builtin: boolean
  now: string
  /** Server-side defaulting of the merged object, before ownership is determined. */
  prepare?: (object: KubeObject) => KubeObject
}

/** Server-side apply: the object after this manager applies `config` to `live`. */
export function applyConfig(live: KubeObject | undefined, config: KubeObject, options: ApplyOptions): KubeObject {
  const { manager, builtin } = options
  const wanted = fieldsOf(config, builtin)
  const ownerships = ownershipsOf(live)
  const mine = ownerships.find(o => sameManager(o.manager, manager))
  const others = ownerships.filter(o => o !== mine)
  const base = live ? copy(live) : ({ apiVersion: config.apiVersion, kind: config.kind, metadata: {} } as KubeObject)
  const merged = mergeValue(base, config, '', undefined, builtin) as KubeObject

  resolveConflicts(live, merged, wanted, others, options.force)
  prune(merged, mine?.set, wanted, others)
  delete merged.metadata.managedFields

  const unchangedSet = mine && mine.set.size === wanted.size && [...wanted.keys()].every(key => mine.set.has(key))
  const entry: Ownership = { manager, set: wanted, time: unchangedSet ? mine.time : options.now }
  const next = mine ? ownerships.map(o => (o === mine ? entry : o)) : [entry, ...ownerships]
  merged.metadata.managedFields = encodeOwnerships(next)
  return merged
}

function mergeValue(live: Json, config: Json, field: string, parent: string | undefined, builtin: boolean): Json {
  if (isMap(config)) {
    if (!isMap(live) || isAtomicMap(builtin, field)) return copy(config)
    for (const name of Object.keys(config)) {
      live[name] = mergeValue(live[name], config[name], name, field || parent, builtin)
    }
    return live
  }
  if (!Array.isArray(config) || !Array.isArray(live)) return copy(config)
  const rule = listRule(builtin, parent, field)
  if (rule.kind === 'atomic') return copy(config)
  for (const item of config) {
    const segment = rule.kind === 'set' ? `v:${JSON.stringify(item)}` : itemKey(item, rule.keys)
    const index = itemIndex(live, segment)
    if (index === -1) live.push(copy(item))
    else if (rule.kind === 'map') {
      for (const name of Object.keys(item)) {
        live[index][name] = mergeValue(live[index][name], item[name], name, field, builtin)
      }
    }
  }
  return live
}

function resolveConflicts(
  live: KubeObject | undefined,
  merged: KubeObject,
  wanted: FieldSet,
  others: Ownership[],
  force: boolean,
): void {
  const conflicts: { manager: Manager; field: string }[] = []
  for (const { manager, set } of others) {
    for (const [key, path] of wanted) {
      if (!set.has(key)) continue
      const before = valueAt(live, path)
      const isItem = (path.at(-1) as string).startsWith('k:')
      if (isItem ? before !== undefined : same(before, valueAt(merged, path))) continue
      if (force) set.delete(key)
      else conflicts.push({ manager, field: describePath(path) })
    }
  }
  if (conflicts.length > 0) throw conflictFailure(conflicts)
}

function conflictFailure(conflicts: { manager: Manager; field: string }[]): KubeFailure {
  const describe = ({ name, operation, subresource, apiVersion }: Manager) => {
    const who = `"${name}"${subresource ? ` with subresource "${subresource}"` : ''}`
    return operation === 'Update' ? `${who} using ${apiVersion}` : who // managers that apply are named without operation and version
  }
  const causes: Cause[] = conflicts.map(({ manager, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${describe(manager)}`,
    field,
  }))
  const first = conflicts[0] as { manager: Manager; field: string }
  if (conflicts.length === 1) {
    const text = `Apply failed with 1 conflict: conflict with ${describe(first.manager)}: ${first.field}`
    return new KubeFailure(409, 'Conflict', text, { causes })
  }
  const byManager = new Map<string, string[]>()
  for (const { manager, field } of conflicts) {
    const who = describe(manager)
    byManager.set(who, [...(byManager.get(who) ?? []), field])
  }
  const parts = [...byManager].map(([who, fields]) => `conflicts with ${who}:\n${fields.map(f => `- ${f}`).join('\n')}`)
  return new KubeFailure(409, 'Conflict', `Apply failed with ${conflicts.length} conflicts: ${parts.join('\n')}`, {
    causes,
  })
}

/** Removes fields that the manager set last time and no longer sets, unless another manager owns them too. */
function prune(merged: KubeObject, before: FieldSet | undefined, wanted: FieldSet, others: Ownership[]): void {
  if (!before) return
  const gone = [...before].filter(([key]) => !wanted.has(key))
  // complete list items first, with their defaults; then the other fields, the inner ones first
  const isItem = (path: string[]) => /^[kv]:/.test(path.at(-1) as string)
  gone.sort(
    ([, a], [, b]) => Number(isItem(b)) - Number(isItem(a)) || (isItem(a) ? a.length - b.length : b.length - a.length),
  )
  for (const [key, path] of gone) {
    if (others.some(({ set }) => set.has(key) || [...set.keys()].some(other => other.startsWith(`${key}\u0000`))))
      continue
    if ([...wanted.keys()].some(other => other.startsWith(`${key}\u0000`))) continue
    removeAt(merged, path)
  }
}
