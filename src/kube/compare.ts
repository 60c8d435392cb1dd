/** What an apply would do with objects, refusals and all, told without a write. */
import { isDeepStrictEqual } from 'node:util'
import { mapLimit } from '../core/concurrency.ts'
import { isAppliedAlready } from './applied-fields.ts'
import { fieldManager } from './change.ts'
import { type KubeObject, refKey } from './object.ts'
import { look, mayBeForced, placeOf, type WriterOptions, withLabels } from './ownership.ts'

export interface Compared {
  /** As it would be, labels and all. */
  object: KubeObject
  live: KubeObject | undefined
  /** Undefined: it is there, and what it is to hold is not known yet. */
  would: 'create' | 'change' | 'stay' | undefined
}

const sideBySide = 8

/** @param known false: of what they hold some is not known yet, so they are only looked for */
export async function compare(
  options: WriterOptions,
  objects: readonly KubeObject[],
  known: boolean,
): Promise<Compared[]> {
  const { api, owner, force = false, signal } = options
  const marked = objects.map(object => withLabels(object, owner))
  const seen = new Map((options.seen ?? []).map(({ ref, live }) => [refKey(ref), live]))
  const before = await look({ ...options, exact: true }, marked, seen)
  return mapLimit(marked, sideBySide, async object => {
    const live = before.get(placeOf(object))
    if (!live) return { object, live, would: 'create' as const }
    if (!known) return { object, live, would: undefined }
    if (isAppliedAlready(live, object)) return { object, live, would: 'stay' as const }
    // the server knows what its defaults and its notation of quantities make of it
    const { object: then } = await api.apply(object, { force, dryRun: true, signal }).catch(mayBeForced(owner))
    return { object, live, would: isDeepStrictEqual(ofApply(live), ofApply(then)) ? ('stay' as const) : 'change' }
  })
}

/** All that an apply of ours can change: what is in an object, and which fields of it are ours. */
function ofApply({ status: _, metadata, ...rest }: KubeObject): unknown {
  const { resourceVersion: __, generation: ___, managedFields, ...marks } = metadata
  const ours = managedFields?.filter(m => m.manager === fieldManager && m.operation === 'Apply').map(m => m.fieldsV1)
  return { ...rest, metadata: marks, ours }
}
