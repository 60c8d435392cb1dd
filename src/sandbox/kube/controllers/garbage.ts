import type { ControlPlane } from '../control-plane.ts'
import { type KubeObject, keyOf } from '../object.ts'
import { deleteObject, updateObject } from '../objects.ts'
import type { Controller } from './host.ts'
import { remove, typeOf } from './host.ts'

interface Place {
  id: string
  namespace: string | undefined
  name: string
}

/** Deletes objects whose owners are gone, by their ownerReferences. */
export const garbageCollector: Controller = ({ plane, watch, queue }) => {
  const alive = new Set<string>()
  const dependents = new Map<string, Map<string, Place>>()
  const places = new Map<string, Place>()
  const placeKey = ({ id, namespace, name }: Place) => `${id} ${keyOf(namespace, name)}`

  const collect = queue(key => {
    const place = places.get(key)
    const object = place && plane.store.get(place.id, place.namespace, place.name)
    if (!place || !object?.metadata.ownerReferences?.length) return
    if (object.metadata.ownerReferences.some(({ uid }) => alive.has(uid))) return
    remove(plane, place.id, object)
  })
  const finish = queue(key => {
    const place = places.get(key)
    const object = place && plane.store.get(place.id, place.namespace, place.name)
    if (place && object)
      finishDeletion(plane, place, object, [...(dependents.get(object.metadata.uid as string)?.values() ?? [])])
  })

  watch('*', ({ type, id, object, previous }) => {
    const { uid, namespace, name, ownerReferences } = object.metadata
    const place = { id, namespace, name }
    const key = placeKey(place)
    for (const owner of previous?.metadata.ownerReferences ?? []) dependents.get(owner.uid)?.delete(key)
    if (type === 'DELETED') {
      alive.delete(uid as string)
      places.delete(key)
      for (const dependent of dependents.get(uid as string)?.values() ?? []) collect(placeKey(dependent))
      for (const owner of ownerReferences ?? []) finishOwner(owner.uid)
      return
    }
    alive.add(uid as string)
    places.set(key, place)
    for (const owner of ownerReferences ?? []) {
      const known = dependents.get(owner.uid) ?? new Map<string, Place>()
      dependents.set(owner.uid, known.set(key, place))
      if (!alive.has(owner.uid)) collect(key, 20) // its owner may just not be visible yet
    }
    if (object.metadata.deletionTimestamp) finish(key)
  })

  function finishOwner(uid: string) {
    for (const [key, place] of places) {
      const owner = plane.store.get(place.id, place.namespace, place.name)
      if (owner?.metadata.uid === uid && owner.metadata.deletionTimestamp) finish(key)
    }
  }
}

function finishDeletion(plane: ControlPlane, place: Place, object: KubeObject, dependents: Place[]): void {
  const finalizers = object.metadata.finalizers ?? []
  const found = dependents.flatMap(d => {
    const dependent = plane.store.get(d.id, d.namespace, d.name)
    return dependent ? [{ ...d, object: dependent }] : []
  })
  const without = (finalizer: string) => {
    const left = finalizers.filter(f => f !== finalizer)
    const current = plane.store.get(place.id, place.namespace, place.name)
    if (!current) return
    updateObject(plane, typeOf(plane, place.id), { ...current, metadata: { ...current.metadata, finalizers: left } })
  }
  if (finalizers.includes('foregroundDeletion')) {
    // their dependents are awaited too, so they are deleted in the same way
    for (const d of found) {
      if (d.object.metadata.deletionTimestamp) continue
      deleteObject(plane, typeOf(plane, d.id), d.namespace, d.name, { propagationPolicy: 'Foreground' })
    }
    const left = found.some(d => plane.store.get(d.id, d.namespace, d.name))
    if (!left) without('foregroundDeletion')
  } else if (finalizers.includes('orphan')) {
    for (const { id, object: dependent } of found) {
      const { ownerReferences, ...metadata } = dependent.metadata
      const others = (ownerReferences ?? []).filter(({ uid }) => uid !== object.metadata.uid)
      plane.store.put(id, {
        ...dependent,
        metadata: { ...metadata, ...(others.length ? { ownerReferences: others } : {}) },
      })
    }
    without('orphan')
  }
}
