/** Nothing without our mark is ever changed or deleted: each write is preceded by a look, unless only ours can be there. */
import { mapLimit } from '../../core/concurrency.ts'
import { CoeError, conflict } from '../../core/errors.ts'
import { mayBeDone } from '../../core/failed-request.ts'
import { isAppliedAlready } from '../api/applied-fields.ts'
import type { Applied, ClusterApi } from '../api/cluster-api.ts'
import { isFieldConflict } from '../api/errors.ts'
import { type KubeObject, type ObjectRef, refKey, refOf, refText } from '../api/object.ts'
import { labelSelector } from '../api/selector.ts'

/** The label that decides whose an object is, by what owns it. */
export const ownerKeys = {
  federation: 'coe/federation-uuid',
  cluster: 'coe/cluster-uuid',
  'cluster template': 'coe/cluster-template-uuid',
} as const

export interface Owner {
  /** What owns it, for messages. */
  what: keyof typeof ownerKeys
  /** On every object that is applied: name and uuid labels. */
  labels: Readonly<Record<string, string>>
  /** The label that decides, one of those above. */
  key: string
  /** Takes over what nobody's label is on (`--adopt`); false: it could, and was not told to. What another owns stays refused. */
  adopt?: boolean
}

export interface WriterOptions {
  api: ClusterApi
  owner: Owner
  /** Everything in this cluster is ours: no look is needed. */
  allOurs?: boolean
  /** Even there it is looked at first, so that what changed is told exactly. */
  exact?: boolean
  /** Namespaces that this run made itself; those that it makes by applying are added. */
  newNamespaces: Set<string>
  /** Takes fields back that others have changed. */
  force?: boolean
  /** Looked at a moment ago: these need no look before they are first written. */
  observed?: readonly Observed[] | undefined
  signal: AbortSignal
  /** Told when something was written, or may have been. */
  onWrite?: (() => void) | undefined
}

export interface Observed {
  ref: ObjectRef
  /** Undefined: there was none. */
  live: KubeObject | undefined
}

export interface Writer {
  /** Reads it, and need not do so again when it is written next. */
  read(ref: ObjectRef): Promise<KubeObject | undefined>
  /** All of them, or an error before the first write when one is somebody else's. Results in the objects' order. */
  apply(objects: readonly KubeObject[]): Promise<Applied[]>
  /** False when it was not there, or is not ours and so stays. */
  remove(ref: ObjectRef): Promise<boolean>
}

/** As many at once as an API server takes from one client without a queue. */
const sideBySide = 8
/** From so many objects of a kind in one place, one list is cheaper than a look at each. */
const worthAList = 3

export function makeWriter(options: WriterOptions): Writer {
  const { api, owner, newNamespaces, force = false, signal, onWrite } = options
  const seen = new Map((options.observed ?? []).map(({ ref, live }) => [refKey(ref), live]))
  /** As this run wrote them: they are ours. */
  const asWritten = new Map<string, KubeObject>()

  /** A write whose answer is lost, or that was stopped, may have been done. */
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
    const before = await readExisting(options, marked, new Map([...asWritten, ...seen]))
    return mapLimit(marked, sideBySide, async object => {
      const place = objectKey(object)
      const old = before.get(place)
      if (old && options.exact && isAppliedAlready(old, object)) return { object: old, result: 'unchanged' }
      const applied = await written(api.apply(object, { force, signal })).catch(withAdoptHint(owner))
      seen.delete(place)
      asWritten.set(place, applied.object)
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
    const place = refKey(ref)
    const known = seen.get(place) ?? asWritten.get(place)
    seen.delete(place)
    asWritten.delete(place)
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
      seen.set(refKey(ref), live)
      return live
    },
  }
}

/** Others have set fields of what is ours: theirs, until somebody says otherwise. */
export const withAdoptHint =
  ({ adopt }: Owner) =>
  (error: unknown): never => {
    if (adopt !== false || !isFieldConflict(error)) throw error
    const { outcome, message, hint, details } = error
    throw new CoeError(outcome, message, { hint: `${hint ?? ''}; --adopt takes it back`, cause: error, details })
  }

/** What is there already under the names of these objects; throws when one of them may not be touched. */
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
    if (live && !allOurs) mayTouch(live, owner)
  }
  return found
}

function mayTouch(live: KubeObject, owner: Owner): void {
  const other = otherOwner(live, owner)
  if (live.metadata.deletionTimestamp) throw conflict(`${refText(refOf(live))} is being deleted`, goneSoon)
  if (isOurs(live, owner) || (other === undefined && owner.adopt)) return
  throw notOurs(live, other, owner)
}

/** Completes "belongs to …". Undefined: no owner's label is on it. */
function otherOwner({ metadata: { labels = {} } }: KubeObject, owner: Owner): string | undefined {
  const same = labels[owner.key]
  if (same !== undefined) return `another ${owner.what} (${same})`
  const kinds = Object.entries(ownerKeys).filter(([, key]) => labels[key] !== undefined)
  return kinds.map(([what, key]) => `a ${what} (${labels[key]})`)[0]
}

const goneSoon = { hint: 'wait until it is gone, then run this again' }

const notOurs = (live: KubeObject, other: string | undefined, { adopt }: Owner): CoeError =>
  conflict(
    `${refText(refOf(live))} exists already, and ${other === undefined ? 'coe did not make it' : `belongs to ${other}`}`,
    {
      hint:
        other === undefined
          ? `nothing was changed. Take another name, or remove it if nobody needs it${adopt === false ? ', or take it over with --adopt' : ''}`
          : 'nothing was changed. Take another name',
      details: { object: refOf(live) },
    },
  )

export const isOurs = (object: KubeObject, owner: Owner): boolean =>
  object.metadata.labels?.[owner.key] === owner.labels[owner.key]

/** A selector for all that is ours. */
export const ourSelector = ({ key, labels }: Owner): string => labelSelector({ [key]: labels[key] ?? '' })

export const withLabels = (object: KubeObject, owner: Owner): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...owner.labels } },
})

export const objectKey = (object: KubeObject): string => refKey(refOf(object))
