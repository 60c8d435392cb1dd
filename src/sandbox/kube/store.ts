import { type KubeObject, keyOf } from './object.ts'

/** A change of an object. `previous` is its earlier state, for watchers with selectors and for controllers. */
export interface Change {
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  /** `pods`, `deployments.apps`. */
  id: string
  object: KubeObject
  previous: KubeObject | undefined
  revision: number
}

/** The "etcd" of one simulated control plane: objects by resource and name, a revision counter, a short history. */
export interface Store {
  /** 0 until the first write, which distinguishes a new etcd from an existing one. */
  revision(): number
  get(id: string, namespace: string | undefined, name: string): KubeObject | undefined
  /** Sorted by key. Without a namespace, the objects of all namespaces. */
  list(id: string, namespace?: string): KubeObject[]
  ids(): string[]
  /** Stores the object with a new resourceVersion and notifies the subscribers. */
  put(id: string, object: KubeObject): KubeObject
  remove(id: string, namespace: string | undefined, name: string): KubeObject | undefined
  /** Called for each change, in order, before the write returns. */
  subscribe(listener: (change: Change) => void): () => void
  /** The changes after `revision`; undefined if the history does not reach back that far. */
  since(id: string, revision: number): Change[] | undefined
  /** Drops the history, like etcd's compaction. */
  compact(): void
}

const keptChanges = 4000

export function createStore(): Store {
  const resources = new Map<string, Map<string, KubeObject>>()
  const listeners = new Set<(change: Change) => void>()
  let history: Change[] = []
  let forgotten = 0
  let counter = 0

  const tell = (change: Change) => {
    history.push(change)
    if (history.length > keptChanges * 1.25) {
      const dropped = history.length - keptChanges
      forgotten = history[dropped - 1]?.revision ?? forgotten
      history = history.slice(dropped)
    }
    for (const listener of [...listeners]) listener(change)
  }

  return {
    revision: () => counter,
    get: (id, namespace, name) => resources.get(id)?.get(keyOf(namespace, name)),
    list(id, namespace) {
      const objects = resources.get(id)
      if (!objects) return []
      const keys = [...objects.keys()].sort()
      const prefix = namespace === undefined ? '' : `${namespace}/`
      return keys.filter(key => key.startsWith(prefix)).map(key => objects.get(key) as KubeObject)
    },
    ids: () => [...resources.keys()],
    put(id, object) {
      const { namespace, name } = object.metadata
      let objects = resources.get(id)
      if (!objects) {
        objects = new Map()
        resources.set(id, objects)
      }
      const key = keyOf(namespace, name)
      const previous = objects.get(key)
      const revision = ++counter
      const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }
      objects.set(key, stored)
      tell({ type: previous ? 'MODIFIED' : 'ADDED', id, object: stored, previous, revision })
      return stored
    },
    remove(id, namespace, name) {
      const key = keyOf(namespace, name)
      const previous = resources.get(id)?.get(key)
      if (!previous) return undefined
      resources.get(id)?.delete(key)
      const revision = ++counter
      const object = { ...previous, metadata: { ...previous.metadata, resourceVersion: String(revision) } }
      tell({ type: 'DELETED', id, object, previous, revision })
      return object
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    since(id, revision) {
      if (revision < forgotten) return undefined
      return history.filter(change => change.id === id && change.revision > revision)
    },
    compact() {
      forgotten = counter
      history = []
    },
  }
}
