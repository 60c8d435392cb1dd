/**
 * Detects that the federation's etcd has lost its data, with its pod or its volume. The API servers do not notice: they still
 * answer lists from their cache, while reads and writes of single objects go to the empty etcd.
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
/** Every API server creates this namespace when it starts and refuses to delete it. */
const always = 'kube-system'

/** Whether the API lists objects from its cache that its etcd does not have. */
export async function answersFromMemory(api: ClusterApi, signal: AbortSignal): Promise<boolean> {
  const isStored = () => api.exists({ ...namespaceKind, name: always }, { signal })
  if (await isStored()) return false
  const { items } = await api.list(namespaceKind, { fields: `metadata.name=${always}`, metadataOnly: true, signal })
  // a server that has just started may make it between the two requests
  return items.length > 0 && !(await isStored())
}

/**
 * For a step that waits for the API: resolves true once the API serves what etcd has. Components with a stale cache are restarted,
 * the API servers first: the others would crash without them, and Kubernetes restarts crashing pods at growing intervals.
 */
export function consistencyCheck(site: Site): (tools: Tools) => Promise<boolean> {
  let state: 'unknown' | 'servers restarted' | 'known' = 'unknown'
  return async ({ api, cluster, signal, tell }) => {
    if (state === 'known') return true
    const fromMemory = await answersFromMemory(api, signal)
    if (fromMemory && state === 'unknown') {
      tell('etcd has lost its data; restarting the API servers, which still serve it from memory')
      await restart(site, `${componentLabel}=karmada-apiserver`, await cluster('host'), signal)
      state = 'servers restarted'
      return false
    }
    if (fromMemory) return false
    const others = `${componentLabel} notin (etcd,karmada-apiserver)`
    if (state === 'servers restarted') await restart(site, others, await cluster('host'), signal)
    // checked once more: by then the restarted workloads report that they are not ready
    const restarted = state === 'servers restarted'
    state = 'known'
    return !restarted
  }
}

/** Deletes the pods; their controllers replace them. */
async function restart({ namespace, labels }: Site, which: string, host: ClusterApi, signal: AbortSignal) {
  const pods = `${labelSelector(labels)},${which}`
  await host.deleteAll({ apiVersion: 'v1', kind: 'Pod' }, { namespace, labels: pods, signal })
}

export interface LostData {
  objects: ObjectHealth[]
  /** The API lists objects that its etcd does not have. */
  fromMemory: boolean
}

/**
 * The objects that a creation puts into the API and that it has lost.
 * @param remedy the command that recreates them
 * @param thorough false: a single request, if nothing is lost
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
      objects: [missing('Data in etcd', 'lost; the API answers lists from memory until it is restarted', remedy)],
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

/** The members that etcd has: a list from the API's cache contains lost ones, too. */
export async function stored(
  members: readonly MemberHealth[],
  api: ClusterApi,
  signal: AbortSignal,
): Promise<MemberHealth[]> {
  const kept = await mapLimit(members, 8, ({ name }) => api.exists(clusterRef(name), { signal }))
  return members.filter((_, index) => kept[index])
}
