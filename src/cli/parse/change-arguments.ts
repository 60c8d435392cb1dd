/**
 * The change that an `update` asks for, in either dialect of the openstack client: options, and `replace node_count=3`. Both can be
 * used together; a contradiction is refused.
 */
import { isDeepStrictEqual } from 'node:util'
import { usage } from '../../core/errors.ts'
import type { Change, LabelChange, PatchOperation } from '../../model/change.ts'
import { editsOf } from './edit-arguments.ts'

type Scalar = NonNullable<PatchOperation['value']>

/** By path in the older dialect: the field, and a function that reads its value, or returns undefined if the type is wrong. */
export type StockPaths<Fields> = Readonly<
  Record<
    string,
    { [K in keyof Fields]-?: readonly [field: K, read: (value: Scalar) => Fields[K] | undefined] }[keyof Fields]
  >
>

export const asText = (value: Scalar): string | undefined => (typeof value === 'string' ? value : undefined)
export const asNumber = (value: Scalar): number | undefined => (typeof value === 'number' ? value : undefined)
export const asFlag = (value: Scalar): boolean | undefined => (typeof value === 'boolean' ? value : undefined)
/** The paths of dictionaries come as JSON. */
export const asDictionary = (value: Scalar): Record<string, string> => JSON.parse(String(value))
/** For fields that servers accept any text for. */
export const asWritten = (): undefined => undefined

type Words = Parameters<typeof editsOf>[0]

/** @param options the values from options of the newer dialect */
export function changeOf<Fields extends object>(
  words: Words,
  options: { set: Fields; labels?: LabelChange },
  paths: StockPaths<Fields>,
): Change<Fields> {
  const edits = agreeing(editsOf(words))
  const wrong = edits.find(edit => contradicts(edit, options.set, paths))
  if (wrong) throw notTheSame(wrong)
  const older = typedEdits(edits, paths)
  const { set, unset, labels } = older ?? { set: {}, unset: [], labels: noLabels }
  const patch = older ? [] : edits
  // fields that are also in the patch, with the same value, need not be sent twice
  const inPatch = patch.map(({ path }) => fieldAt(paths, path)?.[0])
  const byOption = Object.entries(options.set).filter(([field]) => !inPatch.includes(field as keyof Fields))
  return {
    set: { ...set, ...Object.fromEntries(byOption) } as Fields,
    unset,
    labels: together(labels, options.labels ?? noLabels),
    patch,
  }
}

export const isEmpty = ({ set, unset, labels, patch }: Change<object>): boolean =>
  [Object.keys(set), unset, Object.keys(labels.set), labels.unset, patch].every(part => part.length === 0)

const noLabels: LabelChange = { set: {}, unset: [] }

function together(older: LabelChange, newer: LabelChange): LabelChange {
  const set = { ...older.set, ...newer.set }
  const unset = [...new Set([...older.unset, ...newer.unset])]
  const both = unset.find(key => Object.hasOwn(set, key))
  if (both !== undefined) throw usage(`label "${both}" cannot be set and removed at once`)
  return { set, unset }
}

function agreeing(edits: readonly PatchOperation[]): PatchOperation[] {
  const byPath = new Map<string, PatchOperation>()
  for (const edit of edits) {
    const other = byPath.get(edit.path)
    if (other && other.value !== edit.value) throw notTheSame(edit)
    byPath.set(edit.path, edit)
  }
  return [...byPath.values()]
}

const notTheSame = ({ path }: PatchOperation) => usage(`${path} is given twice, with different values`)

const fieldAt = <Fields>(paths: StockPaths<Fields>, path: string) =>
  Object.hasOwn(paths, path) ? paths[path] : undefined

function contradicts<Fields>({ op, path, value }: PatchOperation, set: Fields, paths: StockPaths<Fields>): boolean {
  const [field, read] = fieldAt(paths, path) ?? []
  const option = field && set[field]
  if (option === undefined) return false
  if (op === 'remove' || value === undefined) return true
  return !isDeepStrictEqual(read?.(value) ?? value, option) && value !== JSON.stringify(option)
}

/** Undefined if an edit cannot be expressed as a field: `add`, a value of another type, a path without a field. */
function typedEdits<Fields>(
  edits: readonly PatchOperation[],
  paths: StockPaths<Fields>,
): Omit<Change<Fields>, 'patch'> | undefined {
  const set: [string, unknown][] = []
  const labels: [string, string][] = []
  const unset: (keyof Fields)[] = []
  const unsetLabels: string[] = []
  for (const { op, path, value = '' } of edits) {
    const label = /^labels\/([\w-]+)$/.exec(path)?.[1]
    const [field, read] = fieldAt(paths, path) ?? []
    const typed = op === 'replace' ? read?.(value) : undefined
    if (label !== undefined && op === 'add') labels.push([label, String(value)])
    else if (label !== undefined && op === 'remove') unsetLabels.push(label)
    else if (field !== undefined && op === 'remove') unset.push(field)
    else if (field !== undefined && typed !== undefined) set.push([String(field), typed])
    else return undefined
  }
  return {
    set: Object.fromEntries(set) as Fields,
    unset,
    labels: { set: Object.fromEntries(labels), unset: unsetLabels },
  }
}
