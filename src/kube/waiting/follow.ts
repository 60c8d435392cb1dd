/** One object that changes: each change is told at once, in one request, where polling would ask again and again. */
import type { Clock } from '../../core/world.ts'
import type { ClusterApi } from '../api/cluster-api.ts'
import { type KubeObject, refOf } from '../api/object.ts'

export interface FollowOptions {
  clock: Clock
  signal: AbortSignal
  /** After so long the answer is undefined: whoever asked looks at his own clock, and asks again. */
  forMs: number
}

/** What `seen` first answers, asked of the object as it is, and again whenever it changes. Undefined also when it is deleted. */
export async function follow<T>(
  api: ClusterApi,
  object: KubeObject,
  seen: (object: KubeObject) => T | undefined,
  { clock, signal, forMs }: FollowOptions,
): Promise<T | undefined> {
  const first = seen(object)
  if (first !== undefined) return first
  const ref = refOf(object)
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const watch = async (): Promise<T | undefined> => {
    const selection = { namespace: ref.namespace, fields: `metadata.name=${ref.name}`, signal: until }
    for await (const event of api.watch(ref, { ...selection, from: object.metadata.resourceVersion })) {
      const live = event.type === 'all' ? event.items[0] : event.type === 'set' ? event.object : undefined
      const answer = live && seen(live)
      if (!live || answer !== undefined) return answer
    }
    return undefined
  }
  try {
    return await Promise.race([watch(), clock.sleep(forMs, until).then(() => undefined)])
  } finally {
    over.abort(new Error('nobody listens any more'))
  }
}
