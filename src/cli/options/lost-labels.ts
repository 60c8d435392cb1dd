/** Labels that a template or a cluster has, and what is made of it will not: hardly ever meant. */
import type { Labels } from '../../model/cluster.ts'
import type { Context } from '../context.ts'

export interface LabelSource {
  /** `template "k8s"` */
  what: string
  /** What goes without them: `the cluster`. */
  made: string
  /** One more request, beside that of the change. */
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
    `the labels given replace those of ${what}: ${made} goes without its ${lost.join(', ')}; --merge-labels keeps them`,
  )
}
