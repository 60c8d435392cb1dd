import type { ControlPlane } from '../control-plane.ts'
import { KubeFailure } from '../failure.ts'
import { type KubeObject, keyOf, type OwnerReference, same } from '../object.ts'
import { createObject, deleteObject, updateObject } from '../objects.ts'
import type { ResourceType } from '../resource-types.ts'
import type { Change } from '../store.ts'
import type { Timings } from '../timings.ts'

export type Enqueue = (key: string, afterMs?: number) => void

/** The services for a controller: changes to react to, a queue that runs each key once, and a clock for delays. */
export interface ControllerHost {
  plane: ControlPlane
  timings: Timings
  /** Calls back for existing objects, then for each change. Takes several ids, or `*` for all. */
  watch(ids: string | string[], onChange: (change: Change) => void): void
  /** A queue of keys; `reconcile` gets each key once, however often it was added meanwhile. */
  queue(reconcile: (key: string) => void | Promise<void>): Enqueue
  /** Runs with stop(). */
  onStop(work: () => void): void
}

export type Controller = (host: ControllerHost) => void

/** Starts controllers on a plane; returns a function that stops them. */
export function runControllers(plane: ControlPlane, timings: Timings, controllers: readonly Controller[]): () => void {
  const stops: (() => void)[] = []
  let stopped = false
  const host: ControllerHost = {
    plane,
    timings,
    watch(ids, onChange) {
      const wanted = ids === '*' ? undefined : new Set(typeof ids === 'string' ? [ids] : ids)
      for (const id of wanted ?? plane.store.ids()) {
        for (const object of plane.store.list(id)) {
          onChange({ type: 'ADDED', id, object, previous: undefined, revision: plane.store.revision() })
        }
      }
      stops.push(
        plane.store.subscribe(change => {
          if (!stopped && (!wanted || wanted.has(change.id))) onChange(change)
        }),
      )
    },
    queue(reconcile) {
      const waiting = new Map<string, { at: number; cancel: () => void }>()
      const running = new Set<string>()
      const enqueue: Enqueue = (key, afterMs = 0) => {
        if (stopped) return
        const at = plane.clock.now() + afterMs
        const pending = waiting.get(key)
        if (pending && pending.at <= at) return
        pending?.cancel()
        waiting.set(key, { at, cancel: plane.clock.after(afterMs, () => run(key)) })
      }
      const run = (key: string) => {
        waiting.delete(key)
        if (stopped) return
        // one run at a time for each key: changes that arrive meanwhile are handled afterwards
        if (running.has(key)) return enqueue(key, 5)
        try {
          const work = reconcile(key)
          if (!work) return
          running.add(key)
          work.then(
            () => running.delete(key),
            error => {
              running.delete(key)
              retry(key, error)
            },
          )
        } catch (error) {
          retry(key, error)
        }
      }
      const retry = (key: string, error: unknown) => {
        // like a real controller, it retries a little later when refused (the namespace is terminating, another writer
        // was faster)
        if (!(error instanceof KubeFailure)) throw error
        if (error.code === 409 || error.code >= 500) enqueue(key, 20)
      }
      stops.push(() => {
        for (const { cancel } of waiting.values()) cancel()
      })
      return enqueue
    },
    onStop: work => void stops.push(work),
  }
  for (const controller of controllers) controller(host)
  return () => {
    stopped = true
    for (const stop of stops) stop()
  }
}

export const typeOf = (plane: ControlPlane, id: string): ResourceType => {
  const type = plane.types.byId(id)
  if (!type) throw new Error(`the sandbox does not know ${id}`)
  return type
}

export const create = (plane: ControlPlane, id: string, object: KubeObject): KubeObject =>
  createObject(plane, typeOf(plane, id), object)

export const update = (plane: ControlPlane, id: string, object: KubeObject): KubeObject =>
  updateObject(plane, typeOf(plane, id), object)

export const remove = (plane: ControlPlane, id: string, object: KubeObject): void => {
  const { namespace, name } = object.metadata
  if (plane.store.get(id, namespace, name)) deleteObject(plane, typeOf(plane, id), namespace, name)
}

/** Writes the status if it differs from the stored one. */
export function setStatus(plane: ControlPlane, id: string, object: KubeObject, status: unknown): void {
  const { namespace, name } = object.metadata
  const current = plane.store.get(id, namespace, name)
  if (!current || same(current.status, status)) return
  updateObject(plane, typeOf(plane, id), { ...current, status }, { subresource: 'status' })
}

export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find(owner => owner.controller)

export const ownedBy = (owner: KubeObject): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid as string,
  controller: true,
  blockOwnerDeletion: true,
})

export const objectKey = ({ metadata }: KubeObject): string => keyOf(metadata.namespace, metadata.name)

export function byKey(plane: ControlPlane, id: string, key: string): KubeObject | undefined {
  const slash = key.indexOf('/')
  return slash === -1
    ? plane.store.get(id, undefined, key)
    : plane.store.get(id, key.slice(0, slash), key.slice(slash + 1))
}

/** Adds labels and annotations to the stored object, and replaces fields. Writes nothing if nothing changes. */
export function keyedUpdate(
  plane: ControlPlane,
  id: string,
  { metadata: { namespace, name } }: KubeObject,
  add: { labels?: Record<string, string>; annotations?: Record<string, string> },
  fields: Record<string, unknown> = {},
): void {
  const current = plane.store.get(id, namespace, name)
  if (!current) return
  const metadata = { ...current.metadata }
  if (add.labels) metadata.labels = { ...metadata.labels, ...add.labels }
  if (add.annotations) metadata.annotations = { ...metadata.annotations, ...add.annotations }
  update(plane, id, { ...current, ...fields, metadata })
}
