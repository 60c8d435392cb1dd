/** Adds a cluster to the user's kubeconfig, under names of its own. */
import type { Context } from '../../cli/context.ts'
import {
  coeExtension,
  editKubeconfig,
  type Kubeconfig,
  type KubeconfigChange,
  withCoeExtension,
} from '../../config/kubeconfig/kubeconfig.ts'
import { conflict } from '../../core/errors.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { KubeconfigParts } from './kubeconfig-parts.ts'

/** @returns the file that the context is in, and whether it was changed. */
export async function mergeKubeconfig(
  context: Context,
  parts: KubeconfigParts,
  cluster: Cluster,
  force: boolean,
): Promise<{ file: string; changed: boolean }> {
  const { names, user } = parts
  let place = ''
  const change = (now: Kubeconfig): KubeconfigChange => {
    if (!force && !parts.exists) refuseOthers(now, parts, cluster)
    place = now.contexts.get(names.context)?.file ?? now.files[0] ?? now.paths.at(-1) ?? ''
    if (parts.exists) return { currentContext: names.context }
    return {
      set: {
        clusters: { [names.cluster]: parts.cluster },
        ...(user ? { users: { [names.user]: user } } : {}),
        contexts: {
          [names.context]: withCoeExtension(parts.context, {
            cluster: cluster.uuid,
            project: cluster.project_id ?? '',
          }),
        },
      },
      currentContext: names.context,
    }
  }
  const { kubeconfig } = context.globals
  const changed = await editKubeconfig(context.world, change, { kubeconfig, warn: context.warn })
  return { file: place, changed: changed.length > 0 }
}

/** Refuses to replace a context or cluster of that name that leads elsewhere. */
function refuseOthers(now: Kubeconfig, { names, cluster }: KubeconfigParts, wanted: Cluster): void {
  const context = now.contexts.get(names.context)
  const target = now.clusters.get(String(context?.value.cluster ?? names.cluster)) ?? now.clusters.get(names.cluster)
  if (!context && !target) return
  const noted = coeExtension(context)?.cluster
  if (noted === wanted.uuid) return // its address may have changed since
  const there = target?.value.server
  if (noted === undefined && there === cluster.server) return
  throw conflict(
    `${context?.file ?? target?.file} already has a ${context ? 'context' : 'cluster'} "${names.context}", which leads to ${there ?? 'nowhere'}${noted === undefined ? '' : `, cluster ${noted}`}`,
    { hint: '--context-name NAME adds it under another name; --force replaces the existing one' },
  )
}
