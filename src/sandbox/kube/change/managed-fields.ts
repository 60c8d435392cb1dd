import { type KubeObject, type ManagedFieldsEntry, same } from '../object.ts'
import { decodeFields, encodeFields, type FieldSet, fieldsOf, valueAt } from './field-sets.ts'

/** A writer of an object, and its operation. */
export interface Manager {
  name: string
  operation: 'Apply' | 'Update'
  apiVersion: string
  subresource?: string | undefined
}

export interface Ownership {
  manager: Manager
  set: FieldSet
  time: string | undefined
}

export const sameManager = (a: Manager, b: Manager): boolean =>
  a.name === b.name && a.operation === b.operation && a.subresource === b.subresource && a.apiVersion === b.apiVersion

export function ownershipsOf(object: KubeObject | undefined): Ownership[] {
  return (object?.metadata.managedFields ?? []).map(entry => ({
    manager: {
      name: entry.manager,
      operation: entry.operation,
      apiVersion: entry.apiVersion,
      subresource: entry.subresource,
    },
    set: decodeFields(entry.fieldsV1),
    time: entry.time,
  }))
}

export function encodeOwnerships(ownerships: Ownership[]): ManagedFieldsEntry[] {
  return ownerships
    .filter(({ set }) => set.size > 0)
    .map(({ manager, set, time }) => ({
      manager: manager.name,
      operation: manager.operation,
      apiVersion: manager.apiVersion,
      ...(time ? { time } : {}),
      fieldsType: 'FieldsV1' as const,
      fieldsV1: encodeFields(set),
      ...(manager.subresource ? { subresource: manager.subresource } : {}),
    }))
}

/** The ownership after a plain write: the writer owns the fields that it changed, and removed fields have no owner. */
export function ownershipAfterUpdate(
  before: KubeObject | undefined,
  after: KubeObject,
  writer: Manager,
  builtin: boolean,
  now: string,
): ManagedFieldsEntry[] {
  const ownerships = ownershipsOf(before)
  const newFields = fieldsOf(after, builtin)
  const oldFields = before ? fieldsOf(before, builtin) : new Map()
  const changed: FieldSet = new Map()
  for (const [key, path] of newFields) {
    const isItem = (path.at(-1) as string).startsWith('k:')
    if (!oldFields.has(key) || (!isItem && !same(valueAt(before, path), valueAt(after, path)))) changed.set(key, path)
  }
  const removed = [...oldFields.keys()].filter(key => !newFields.has(key))
  for (const { set } of ownerships) {
    for (const key of changed.keys()) set.delete(key)
    for (const key of removed) set.delete(key)
  }
  if (changed.size > 0) {
    const mine = ownerships.find(({ manager }) => sameManager(manager, writer))
    if (mine) {
      for (const [key, path] of changed) mine.set.set(key, path)
      mine.time = now
    } else ownerships.push({ manager: writer, set: changed, time: now })
  }
  return encodeOwnerships(ownerships)
}
