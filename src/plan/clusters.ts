/** The clusters of a plan: connects each once, when it is first needed, and makes its writer. */
import type { ClusterApi } from '../kube/api/cluster-api.ts'
import { type Compared, compare } from '../kube/api/compare.ts'
import type { KubeObject } from '../kube/api/object.ts'
import { makeWriter, type Writer, type WriterOptions } from '../kube/ownership/ownership.ts'
import type { Plan } from './step.ts'

export interface Connected {
  api: ClusterApi
  writer: Writer
  /** Finds out what the writer would do with the objects. */
  compare(objects: readonly KubeObject[], known: boolean): Promise<Compared[]>
}

export interface Clusters {
  /** Returns the plan's first cluster if there is no key. */
  get(key?: string): Promise<Connected>
}

export function planClusters<O extends object>(
  plan: Plan<O>,
  outputs: O,
  signal: AbortSignal,
  onWrite?: () => void,
): Clusters {
  const made = new Map<string, Promise<Connected>>()
  const [first = ''] = Object.keys(plan.clusters)
  async function connect(key: string): Promise<Connected> {
    const cluster = plan.clusters[key]
    if (!cluster) throw new Error(`the plan has no cluster "${key}"`)
    const api = await cluster.connect(outputs)
    const newNamespaces = [...(plan.newNamespaces ?? [])]
      .filter(f => f.startsWith(`${key}/`))
      .map(f => f.slice(key.length + 1))
    const { owner, force = false, exact = false } = plan
    const { allOurs = false } = cluster
    const options: WriterOptions = {
      api,
      owner,
      force,
      allOurs,
      exact,
      newNamespaces: new Set(newNamespaces),
      observed: plan.observed?.[key],
      signal,
      onWrite,
    }
    return { api, writer: makeWriter(options), compare: (objects, known) => compare(options, objects, known) }
  }
  return {
    get(key = first) {
      let connected = made.get(key)
      if (!connected) {
        connected = connect(key)
        made.set(key, connected)
        connected.catch(() => made.delete(key))
      }
      return connected
    },
  }
}
