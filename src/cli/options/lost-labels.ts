/** Warns of labels that a new object does not get from its template or cluster, which is hardly ever intended. */
import type { Labels } from '../../model/cluster.ts'
import type { Context } from '../context.ts'

export interface LabelSource {
  /** `template "k8s"` */
  what: string
  /** The object that does not get them: `the cluster`. */
  made: string
  /** An additional request for the labels. */
  get(): Promise<{ labels?: Labels | null } | undefined>
}

export async function warnOfLostLabels(
  context: Context,
  { labels, mergeLabels }: { labels?: Labels | undefined; mergeLabels?: boolean | undefined },
  { what, made, get }: LabelSource,
): Promise<void> {
  if (labels === undefined || mergeLabels) return
  const found = await get().catch(() => undefined)
  const lost = Object.keys(found?.labels ?? {}).filter(key => !Object.hasOwn(labels, key))
  if (lost.length === 0) return
  context.warn(
    `the labels on the command line replace those of ${what}: ${made} will not have ${lost.join(', ')}; --merge-labels keeps them`,
  )
}
