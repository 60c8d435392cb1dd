/** The events that a cluster keeps for an hour: its own account of what went wrong. */
import type { ClusterApi } from './cluster-api.ts'
import type { ObjectRef } from './object.ts'
import { as, type KubeEvent } from './typed.ts'

/**
 * The latest warnings about an object, newest first.
 * @param normalToo a claim that waits says so in an event that is no warning
 */
export async function recentWarnings(
  api: ClusterApi,
  about: ObjectRef,
  most: number,
  signal: AbortSignal,
  normalToo = false,
): Promise<string[]> {
  const fields = [`involvedObject.kind=${about.kind}`, `involvedObject.name=${about.name}`]
  if (!normalToo) fields.push('type=Warning')
  const selection = { namespace: about.namespace, fields: fields.join(','), signal }
  const { items } = await api.list({ apiVersion: 'v1', kind: 'Event' }, selection)
  return items
    .map(e => as<KubeEvent>(e))
    .sort((a, b) => (when(a) < when(b) ? 1 : -1))
    .slice(0, most)
    .map(e => `${e.reason}: ${e.message}`)
}

const when = (e: KubeEvent): string => String(e.lastTimestamp ?? e.eventTime ?? e.metadata.creationTimestamp ?? '')
