/** The Lease of a lock: which run holds it, on which machine, and for what. */
import { parseBounded } from '../../core/bounded-json.ts'
import { number, object, text as textShape } from '../../core/shape.ts'
import type { Machine } from '../../core/world.ts'
import type { KubeObject, ObjectRef } from '../api/object.ts'

export interface Holder {
  run: string
  machine: string
  pid: number
  doing: string
}

const holderShape = object({ run: textShape, machine: textShape, doing: textShape, pid: number })
const annotation = 'coe/holder'

const leaseKind = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' }

export const leaseRef = ({ namespace, name }: { namespace: string; name: string }): ObjectRef => ({
  ...leaseKind,
  namespace,
  name,
})

export function leaseObject(
  options: { namespace: string; name: string; labels: Readonly<Record<string, string>> },
  holder: Holder,
  leaseMs: number,
  now: number,
): KubeObject {
  return {
    ...leaseKind,
    metadata: {
      name: options.name,
      namespace: options.namespace,
      labels: { ...options.labels },
      annotations: { [annotation]: JSON.stringify(holder) },
    },
    spec: {
      holderIdentity: `${holder.run} on ${holder.machine}`,
      leaseDurationSeconds: Math.max(1, Math.ceil(leaseMs / 1000)),
      renewTime: new Date(now).toISOString().replace('Z', '000Z'), // the API wants microseconds
    },
  }
}

/** Undefined if the lease has no holder. For a lease written by another program, only the identity is known. */
export function holderOf(lease: KubeObject): Holder | undefined {
  const identity = lease.spec?.holderIdentity as string | undefined
  if (!identity) return undefined
  const text = lease.metadata.annotations?.[annotation]
  try {
    const holder: unknown = text && parseBounded(text)
    if (holderShape(holder) === undefined) return holder as Holder
  } catch {
    // not written by coe: use the identity below
  }
  return { run: identity, machine: '', pid: 0, doing: '' }
}

/** True only for a process of this machine that has ended. Whether a process of another machine has ended cannot be known. */
export const isDead = (holder: Holder, world: Machine): boolean =>
  holder.machine === world.hostname && holder.pid > 0 && world.isRunning?.(holder.pid) === false

export function whoText({ run, machine, pid, doing }: Holder): string {
  if (!machine) return run
  return `another run of coe${doing ? ` ("${doing}")` : ''} on ${machine} (process ${pid}, run ${run})`
}

/** Milliseconds since the holder last renewed the lease, as far as the clocks of the two machines agree. */
export const quietMs = (lease: KubeObject, now: number): number => {
  const at = Date.parse(String(lease.spec?.renewTime))
  return Number.isNaN(at) ? 0 : Math.max(0, now - at)
}
