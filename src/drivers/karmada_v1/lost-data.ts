/**
 * Data that the federation's etcd has lost, with its pod or its volume. The API servers do not notice: they answer lists from
 * memory, with all that there was, while single reads and writes go to an etcd that has nothing of it.
 */

import { awaitAll, mapLimit } from '../../core/concurrency.ts'
import type { CoeStep } from '../../core/next-step.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { labelSelector } from '../../kube/api/selector.ts'
import type { MemberHealth, ObjectHealth } from '../../model/federation-health.ts'
import type { Tools } from '../../plan/step.ts'
import { definitionKind, notedDefinitions } from './create/definitions-note.ts'
import { componentLabel } from './names.ts'
import { clusterRef } from './templates/membership.ts'
import type { Site } from './templates/site.ts'

const namespaceKind = { apiVersion: 'v1', kind: 'Namespace' }
/** Each API server makes it when it starts, and lets nobody delete it. */
const always = 'kube-system'

/** Whether the API lists from memory what its etcd does not have. */
export async function answersFromMemory(api: ClusterApi, signal: AbortSignal): Promise<boolean> {
  const isStored = () => api.exists({ ...namespaceKind, name: always }, { signal })
  if (await isStored()) return false
  const { items } = await api.list(namespaceKind, { fields: `metadata.name=${always}`, metadataOnly: true, signal })
  // a server that has just started may make it between the two requests
  return items.length > 0 && !(await isStored())
}

/**
 * For a step that waits for the API: true when it has what etcd has. What remembers more is started anew, first its servers: all
 * that asks them would crash meanwhile, and be started ever more seldom.
 */
export function forgetting(site: Site): (tools: Tools) => Promise<boolean> {
  let state: 'unknown' | 'servers restarted' | 'known' = 'unknown'
  return async ({ api, cluster, signal, tell }) => {
    if (state === 'known') return true
    const fromMemory = await answersFromMemory(api, signal)
    if (fromMemory && state === 'unknown') {
      tell('etcd has lost its data; the API servers go on with what they remember and are started anew')
      await restart(site, `${componentLabel}=karmada-apiserver`, await cluster('host'), signal)
      state = 'servers restarted'
      return false
    }
    if (fromMemory) return false
    const others = `${componentLabel} notin (etcd,karmada-apiserver)`
    if (state === 'servers restarted') await restart(site, others, await cluster('host'), signal)
    // asked once more: by then their workloads tell that they are not ready
    const restarted = state === 'servers restarted'
    state = 'known'
    return !restarted
  }
}

/** Other pods come in place of those that are deleted. */
async function restart({ namespace, labels }: Site, which: string, host: ClusterApi, signal: AbortSignal) {
  const pods = `${labelSelector(labels)},${which}`
  await host.deleteAll({ apiVersion: 'v1', kind: 'Pod' }, { namespace, labels: pods, signal })
}

export interface LostData {
  objects: ObjectHealth[]
  /** Lists of the API show what its etcd does not have. */
  fromMemory: boolean
}

/**
 * What the API has lost of all that a creation puts there.
 * @param remedy the command that makes it again
 * @param thorough false: one request, where all is well
 */
export async function lostData(
  api: ClusterApi,
  site: Site,
  { remedy, thorough, signal }: { remedy: CoeStep; thorough: boolean; signal: AbortSignal },
): Promise<LostData> {
  const listed = () =>
    api.list(definitionKind, { labels: labelSelector(site.labels), metadataOnly: true, signal }).then(l => l.items)
  const [noted, found] = await awaitAll([notedDefinitions(api, signal), thorough ? listed() : undefined])
  if (noted === undefined && (await answersFromMemory(api, signal))) {
    return {
      objects: [missing('Data in etcd', 'lost; the API answers lists from memory until it is started anew', remedy)],
      fromMemory: true,
    }
  }
  if (noted !== undefined && found === undefined) return { objects: [], fromMemory: false }
  const names = new Set((found ?? (await listed())).map(({ metadata }) => metadata.name))
  const lacking = noted?.filter(name => !names.has(name)) ?? (names.size === 0 ? ['all of them'] : [])
  return { objects: kindsMissing(lacking, remedy), fromMemory: false }
}

const shownNames = 3

function kindsMissing(lacking: readonly string[], remedy: CoeStep): ObjectHealth[] {
  if (lacking.length === 0) return []
  const more = lacking.length > shownNames ? ` and ${lacking.length - shownNames} more` : ''
  const which = `${lacking.slice(0, shownNames).join(', ')}${more}`
  return [missing('Kinds of Karmada', `the federation's API does not have them (${which})`, remedy)]
}

const missing = (name: string, reason: string, remedy: CoeStep): ObjectHealth => ({
  name,
  healthy: false,
  reason,
  next: [{ ...remedy, why: 'to restore it, run' }],
})

/** Those that etcd has: a list from memory shows what was lost, too. */
export async function stored(
  members: readonly MemberHealth[],
  api: ClusterApi,
  signal: AbortSignal,
): Promise<MemberHealth[]> {
  const kept = await mapLimit(members, 8, ({ name }) => api.exists(clusterRef(name), { signal }))
  return members.filter((_, index) => kept[index])
}
