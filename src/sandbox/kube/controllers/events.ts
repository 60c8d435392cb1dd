import { type ControlPlane, now, randomSuffix } from '../control-plane.ts'
import type { KubeObject } from '../object.ts'
import { create } from './host.ts'

/** Records an Event about the object; a repeated message only raises the count. */
export function recordEvent(
  plane: ControlPlane,
  about: KubeObject,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
  component: string,
): void {
  const namespace = about.metadata.namespace ?? 'default'
  const place = plane.store.get('namespaces', undefined, namespace)
  if (!place || place.metadata.deletionTimestamp) return
  const time = now(plane)
  const earlier = plane.store
    .list('events', namespace)
    .find(e => e.involvedObject?.uid === about.metadata.uid && e.reason === reason && e.message === message)
  if (earlier) {
    plane.store.put('events', { ...earlier, count: (earlier.count ?? 1) + 1, lastTimestamp: time })
    return
  }
  create(plane, 'events', {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${about.metadata.name}.${randomSuffix(16)}`, namespace },
    involvedObject: {
      kind: about.kind,
      ...(about.metadata.namespace ? { namespace } : {}),
      name: about.metadata.name,
      uid: about.metadata.uid,
      apiVersion: about.apiVersion,
      resourceVersion: about.metadata.resourceVersion,
    },
    reason,
    message,
    source: { component },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type,
    eventTime: null,
    reportingComponent: component,
    reportingInstance: '',
  })
}
