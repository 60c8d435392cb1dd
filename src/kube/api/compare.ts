/** What an apply would do with objects, refusals and all, told without a write. */
import { isDeepStrictEqual } from 'node:util'
import { mapLimit } from '../../core/concurrency.ts'
import { CoeError } from '../../core/errors.ts'
import { objectKey, readExisting, type WriterOptions, withAdoptHint, withLabels } from '../ownership/ownership.ts'
import { isAppliedAlready } from './applied-fields.ts'
import { fieldManager } from './change.ts'
import { type KubeObject, refKey } from './object.ts'

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
  const seen = new Map((options.observed ?? []).map(({ ref, live }) => [refKey(ref), live]))
  const before = await readExisting({ ...options, exact: true }, marked, seen)
  return mapLimit(marked, sideBySide, async object => {
    const live = before.get(objectKey(object))
    if (!live) return { object, live, would: 'create' as const }
    if (!known) return { object, live, would: undefined }
    if (isAppliedAlready(live, object)) return { object, live, would: 'stay' as const }
    // the server knows what its defaults and its notation of quantities make of it
    const tried = await api
      .apply(object, { force, dryRun: true, signal })
      .catch(unlessUntried)
      .catch(withAdoptHint(owner))
    const same = tried && isDeepStrictEqual(ofApply(live), ofApply(tried.object))
    return { object, live, would: same ? ('stay' as const) : ('change' as const) }
  })
}

/** Where a webhook of the cluster's takes no dry runs, nobody can say better: it is not as it would be sent. */
function unlessUntried(error: unknown): undefined {
  if (error instanceof CoeError && error.message.includes('does not support dry run')) return undefined
  throw error
}

/** All that an apply of ours can change: what is in an object, and which fields of it are ours. */
function ofApply({ status: _, metadata, ...rest }: KubeObject): unknown {
  const { resourceVersion: __, generation: ___, managedFields, ...marks } = metadata
  const ours = managedFields?.filter(m => m.manager === fieldManager && m.operation === 'Apply').map(m => m.fieldsV1)
  return { ...rest, metadata: marks, ours }
}
