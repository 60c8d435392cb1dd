/** Changes and deletes only objects with our label: reads each object before a write, unless it can only be ours. */
import { mapLimit } from '../../core/concurrency.ts'
import { CoeError, conflict } from '../../core/errors.ts'
import { mayBeDone } from '../../core/failed-request.ts'
import { isAppliedAlready } from '../api/applied-fields.ts'
import type { Applied, ClusterApi } from '../api/cluster-api.ts'
import { isFieldConflict } from '../api/errors.ts'
import { type KubeObject, type ObjectRef, refKey, refOf, refText } from '../api/object.ts'
import { labelSelector } from '../api/selector.ts'

/** For each kind of owner, the label that says which one owns an object. */
export const ownerKeys = {
  federation: 'coe/federation-uuid',
  cluster: 'coe/cluster-uuid',
  'cluster template': 'coe/cluster-template-uuid',
} as const

export interface Owner {
  /** The kind of owner, for messages. */
  what: keyof typeof ownerKeys
  /** The labels of every object that is applied: name and uuid. */
  labels: Readonly<Record<string, string>>
  /** The label that identifies the owner, one of `ownerKeys`. */
  key: string
  /**
   * True (`--adopt`): takes over objects without an owner's label. False: the command has `--adopt`, and it was not set. Objects of
   * another owner are refused in any case.
   */
  adopt?: boolean
}

export interface WriterOptions {
  api: ClusterApi
  owner: Owner
  /** Everything in this cluster is ours: objects need not be read before a write. */
  allOurs?: boolean
  /** Reads objects first even then, so that the reported changes are exact. */
  exact?: boolean
  /** Namespaces that this run made itself; the writer adds those that it creates. */
  newNamespaces: Set<string>
  /** Takes back fields that other clients have changed. */
  force?: boolean
  /** Objects that were read just now: they are not read again before their first write. */
  observed?: readonly Observed[] | undefined
  signal: AbortSignal
  /** Called when something was written, or may have been. */
  onWrite?: (() => void) | undefined
}

export interface Observed {
  ref: ObjectRef
  /** Undefined if it did not exist. */
  live: KubeObject | undefined
}

export interface Writer {
  /** Reads an object, and keeps it, so that the next write need not read it again. */
  read(ref: ObjectRef): Promise<KubeObject | undefined>
  /** Applies all objects, or throws before the first write if one has another owner. Results are in the objects' order. */
  apply(objects: readonly KubeObject[]): Promise<Applied[]>
  /** Returns false if the object did not exist, or stays because it is not ours. */
  remove(ref: ObjectRef): Promise<boolean>
}

/** As many concurrent requests as an API server accepts from one client without queueing. */
const sideBySide = 8
/** From this many objects of a kind in one namespace, one list is cheaper than reading each. */
const worthAList = 3

export function makeWriter(options: WriterOptions): Writer {
  const { api, owner, newNamespaces, force = false, signal, onWrite } = options
  const observed = new Map((options.observed ?? []).map(({ ref, live }) => [refKey(ref), live]))
  /** Objects as this run wrote them: they are ours. */
  const asWritten = new Map<string, KubeObject>()

  /** If the answer to a write is lost, or the write was stopped, it may still have happened. */
  const written = <T>(write: Promise<T>): Promise<T> => {
    write.catch(error => {
      if (signal.aborted || mayBeDone(error)) onWrite?.()
    })
    return write
  }
  const removed = async (deletion: Promise<boolean>): Promise<boolean> => {
    const done = await written(deletion)
    if (done) onWrite?.()
    return done
  }

  async function apply(objects: readonly KubeObject[]): Promise<Applied[]> {
    const marked = objects.map(object => withLabels(object, owner))
    const before = await readExisting(options, marked, new Map([...asWritten, ...observed]))
    return mapLimit(marked, sideBySide, async object => {
      const key = objectKey(object)
      const old = before.get(key)
      if (old && options.exact && isAppliedAlready(old, object)) return { object: old, result: 'unchanged' }
      const applied = await written(api.apply(object, { force, signal })).catch(withAdoptHint(owner))
      observed.delete(key)
      asWritten.set(key, applied.object)
      if (object.kind === 'Namespace' && applied.result === 'created') newNamespaces.add(object.metadata.name ?? '')
      const same = old?.metadata.resourceVersion === applied.object.metadata.resourceVersion
      const known = old && applied.result !== 'created'
      const result = known ? (same ? 'unchanged' : 'configured') : applied.result
      if (result !== 'unchanged') onWrite?.()
      return { ...applied, result }
    })
  }

  async function remove(ref: ObjectRef): Promise<boolean> {
    if (options.allOurs) return removed(api.delete(ref, { signal }))
    const key = refKey(ref)
    const known = observed.get(key) ?? asWritten.get(key)
    observed.delete(key)
    asWritten.delete(key)
    const live = known ?? (await api.get(ref, { signal }))
    if (!live || !isOurs(live, owner)) return false
    if (live.metadata.deletionTimestamp) return true
    return removed(api.delete(ref, { uid: live.metadata.uid, signal }))
  }

  return {
    apply,
    remove,
    async read(ref) {
      const live = await api.get(ref, { signal })
      observed.set(refKey(ref), live)
      return live
    },
  }
}

/** If other clients have set fields of our objects, adds to the error that `--adopt` takes them back. */
export const withAdoptHint =
  ({ adopt }: Owner) =>
  (error: unknown): never => {
    if (adopt !== false || !isFieldConflict(error)) throw error
    const { outcome, message, hint, details } = error
    throw new CoeError(outcome, message, { hint: `${hint ?? ''}; --adopt takes it back`, cause: error, details })
  }

/** Reads the existing objects of these names; throws if one of them must not be changed. */
export async function readExisting(
  options: WriterOptions,
  objects: readonly KubeObject[],
  known: ReadonlyMap<string, KubeObject | undefined>,
): Promise<Map<string, KubeObject>> {
  const { api, owner, allOurs, exact, newNamespaces, signal } = options
  const found = new Map<string, KubeObject>()
  if (allOurs && !exact) return found
  const groups = new Map<string, KubeObject[]>()
  for (const object of objects) {
    const { namespace = '' } = object.metadata
    if (newNamespaces.has(namespace)) continue
    const live = known.get(objectKey(object))
    if (live) found.set(objectKey(object), live)
    if (known.has(objectKey(object))) continue
    const key = `${object.apiVersion} ${object.kind} ${namespace}`
    groups.set(key, [...(groups.get(key) ?? []), object])
  }
  await mapLimit([...groups.values()], sideBySide, async group => {
    const [first] = group as [KubeObject]
    const { namespace } = first.metadata
    const live =
      group.length >= worthAList && namespace !== undefined
        ? (await api.list(first, { namespace, metadataOnly: !exact, signal })).items
        : await mapLimit(group, sideBySide, object => api.get(refOf(object), { signal }))
    for (const object of live) if (object) found.set(objectKey(object), object)
  })
  for (const object of objects) {
    const live = found.get(objectKey(object))
    if (live && !allOurs) checkOwner(live, owner)
  }
  return found
}

function checkOwner(live: KubeObject, owner: Owner): void {
  const other = otherOwner(live, owner)
  if (live.metadata.deletionTimestamp) throw conflict(`${refText(refOf(live))} is being deleted`, goneSoon)
  if (isOurs(live, owner) || (other === undefined && owner.adopt)) return
  throw notOurs(live, other, owner)
}

/** Completes "belongs to …". Undefined if it has no owner's label. */
function otherOwner({ metadata: { labels = {} } }: KubeObject, owner: Owner): string | undefined {
  const same = labels[owner.key]
  if (same !== undefined) return `another ${owner.what} (${same})`
  const kinds = Object.entries(ownerKeys).filter(([, key]) => labels[key] !== undefined)
  return kinds.map(([what, key]) => `a ${what} (${labels[key]})`)[0]
}

const goneSoon = { hint: 'wait until it is deleted, then run this again' }

const notOurs = (live: KubeObject, other: string | undefined, { adopt }: Owner): CoeError =>
  conflict(
    `${refText(refOf(live))} exists already, and ${other === undefined ? 'coe did not make it' : `belongs to ${other}`}`,
    {
      hint:
        other === undefined
          ? `nothing was changed. Use another name, or delete the object if it is not needed${adopt === false ? ', or take it over with --adopt' : ''}`
          : 'nothing was changed. Use another name',
      details: { object: refOf(live) },
    },
  )

export const isOurs = (object: KubeObject, owner: Owner): boolean =>
  object.metadata.labels?.[owner.key] === owner.labels[owner.key]

/** A selector for all of the owner's objects. */
export const ourSelector = ({ key, labels }: Owner): string => labelSelector({ [key]: labels[key] ?? '' })

export const withLabels = (object: KubeObject, owner: Owner): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...owner.labels } },
})

export const objectKey = (object: KubeObject): string => refKey(refOf(object))
