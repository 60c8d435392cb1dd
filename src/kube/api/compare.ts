/** Finds out, without writing, what an apply would do with objects, refusals included. */
import { isDeepStrictEqual } from 'node:util'
import { mapLimit } from '../../core/concurrency.ts'
import { CoeError } from '../../core/errors.ts'
import { objectKey, readExisting, type WriterOptions, withAdoptHint, withLabels } from '../ownership/ownership.ts'
import { isAppliedAlready } from './applied-fields.ts'
import { fieldManager } from './change.ts'
import { type KubeObject, refKey } from './object.ts'

export interface Compared {
  /** The object as it would be sent, with labels. */
  object: KubeObject
  live: KubeObject | undefined
  /** Undefined: the object exists, but its wanted content is not known yet. */
  would: 'create' | 'change' | 'stay' | undefined
}

const sideBySide = 8

/** @param known false: some of the objects' content is not known yet, so only their existence is checked */
export async function compare(
  options: WriterOptions,
  objects: readonly KubeObject[],
  known: boolean,
): Promise<Compared[]> {
  const { api, owner, force = false, signal } = options
  const marked = objects.map(object => withLabels(object, owner))
  const observed = new Map((options.observed ?? []).map(({ ref, live }) => [refKey(ref), live]))
  const before = await readExisting({ ...options, exact: true }, marked, observed)
  return mapLimit(marked, sideBySide, async object => {
    const live = before.get(objectKey(object))
    if (!live) return { object, live, would: 'create' as const }
    if (!known) return { object, live, would: undefined }
    if (isAppliedAlready(live, object)) return { object, live, would: 'stay' as const }
    // only the server knows its defaults and how it writes quantities
    const tried = await api
      .apply(object, { force, dryRun: true, signal })
      .catch(ignoreUnsupportedDryRun)
      .catch(withAdoptHint(owner))
    const same = tried && isDeepStrictEqual(ofApply(live), ofApply(tried.object))
    return { object, live, would: same ? ('stay' as const) : ('change' as const) }
  })
}

/** Some webhooks refuse dry runs. Then the objects' difference is all that is known, and it counts as a change. */
function ignoreUnsupportedDryRun(error: unknown): undefined {
  if (error instanceof CoeError && error.message.includes('does not support dry run')) return undefined
  throw error
}

/** Everything that an apply by coe can change: the object's content, and which of its fields coe owns. */
function ofApply({ status: _, metadata, ...rest }: KubeObject): unknown {
  const { resourceVersion: __, generation: ___, managedFields, ...marks } = metadata
  const ours = managedFields?.filter(m => m.manager === fieldManager && m.operation === 'Apply').map(m => m.fieldsV1)
  return { ...rest, metadata: marks, ours }
}
