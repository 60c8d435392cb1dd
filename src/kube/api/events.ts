/** Reads a cluster's events, which say what went wrong and are kept for an hour. */
import type { ClusterApi } from './cluster-api.ts'
import type { ObjectRef } from './object.ts'
import { as, type KubeEvent } from './typed.ts'

/** The latest warnings about an object, newest first. */
export async function recentWarnings(
  api: ClusterApi,
  about: ObjectRef,
  most: number,
  signal: AbortSignal,
): Promise<string[]> {
  const events = await eventsOf(api, about, signal, ['type=Warning'])
  return events.slice(0, most).map(e => `${e.reason}: ${e.message}`)
}

/** The latest event of any type: a pending volume claim reports its reason in a normal event. */
export const latestEvent = async (
  api: ClusterApi,
  about: ObjectRef,
  signal: AbortSignal,
): Promise<KubeEvent | undefined> => (await eventsOf(api, about, signal))[0]

/** Newest first. */
export async function eventsOf(
  api: ClusterApi,
  about: ObjectRef,
  signal: AbortSignal,
  more: readonly string[] = [],
): Promise<KubeEvent[]> {
  const fields = [`involvedObject.kind=${about.kind}`, `involvedObject.name=${about.name}`, ...more]
  const selection = { namespace: about.namespace, fields: fields.join(','), signal }
  const { items } = await api.list({ apiVersion: 'v1', kind: 'Event' }, selection)
  return items.map(e => as<KubeEvent>(e)).sort((a, b) => (when(a) < when(b) ? 1 : -1))
}

export const when = (e: KubeEvent): string =>
  String(e.lastTimestamp ?? e.eventTime ?? e.metadata.creationTimestamp ?? '')
