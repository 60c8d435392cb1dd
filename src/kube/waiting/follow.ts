/** Watches one object with one request, instead of polling it. */
import type { Clock } from '../../core/world.ts'
import type { ClusterApi } from '../api/cluster-api.ts'
import { type KubeObject, refOf } from '../api/object.ts'

export interface FollowOptions {
  clock: Clock
  signal: AbortSignal
  /** After this time `follow` resolves undefined; the caller checks its own deadline and calls again. */
  forMs: number
}

/**
 * Calls `check` on the object now and after each change, and resolves with its first result that is not undefined. Resolves undefined if
 * the object is deleted.
 */
export async function follow<T>(
  api: ClusterApi,
  object: KubeObject,
  check: (object: KubeObject) => T | undefined,
  { clock, signal, forMs }: FollowOptions,
): Promise<T | undefined> {
  const first = check(object)
  if (first !== undefined) return first
  const ref = refOf(object)
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const watch = async (): Promise<T | undefined> => {
    const selection = { namespace: ref.namespace, fields: `metadata.name=${ref.name}`, signal: until }
    for await (const event of api.watch(ref, { ...selection, from: object.metadata.resourceVersion })) {
      const live = event.type === 'all' ? event.items[0] : event.type === 'set' ? event.object : undefined
      const answer = live && check(live)
      if (!live || answer !== undefined) return answer
    }
    return undefined
  }
  try {
    return await Promise.race([watch(), clock.sleep(forMs, until).then(() => undefined)])
  } finally {
    over.abort(new Error('the watch is no longer needed'))
  }
}
