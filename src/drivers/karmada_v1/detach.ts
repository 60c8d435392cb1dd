/** Takes a Cluster out of the federation's API, and waits no longer than its controllers must. */
import { poll } from '../../core/poll.ts'
import type { Clock } from '../../core/world.ts'
import type { ClusterApi } from '../../kube/cluster-api.ts'
import type { ObjectRef } from '../../kube/object.ts'
import { waitGone } from '../../kube/wait.ts'
import type { Tools } from '../../plan/step.ts'
import { executionNamespace } from './names.ts'
import { clusterRef } from './templates/membership.ts'
import { listWorks, patchIfThere, preserve, release, workKind } from './works.ts'

export interface Departure {
  name: string
  /** What the federation put on the member stays there. */
  keep: boolean
  /** Namespaces stay even where workloads go. */
  keepNamespaces?: boolean | undefined
  /** The member does not answer: nobody waits for its clean-up. */
  force: boolean
}

/** After so long nobody is there who would end it. */
const patienceMs = 45_000
const pokeMs = 700
const limitMs = 150_000

/**
 * The Cluster is told to go, and what it put on the member with it. Done when nothing of that is left and nothing can
 * come anew, so that the federation has no business on the member any more.
 */
export async function detach(
  departure: Departure,
  clock: Clock,
  { api, signal, unchanged }: Tools,
): Promise<undefined> {
  const { name, keep, force } = departure
  const namespace = executionNamespace(name)
  const there = await api.delete(clusterRef(name), { signal })
  // all at once: the namespace's controller would begin only after five seconds
  await api.deleteAll(workKind, { namespace, signal })
  let first = true
  const look = async (): Promise<true | undefined> => {
    const place = await api.get(namespaceRef(namespace), { signal })
    if (!place) {
      if (first && !there) unchanged()
      return true
    }
    first = false
    const items = await listWorks(api, name, signal)
    if (items.length === 0) return place.metadata.deletionTimestamp ? true : undefined
    if (force) await release(api, items, signal)
    // controllers may have written a Work anew, without the mark
    else if (keep) {
      const anew = items.filter(item => !item.preserved && !item.ofFederation)
      await preserve(api, anew, signal)
      // the engine would try for ever to take its marks off an object that never had them
      const stuck = items.filter(item => item.preserved && item.declined === true)
      await release(api, stuck, signal)
    }
    return undefined
  }
  const what = `what the federation has in ${namespace} to go`
  await poll(look, { clock, signal, intervalMs: 200, maxIntervalMs: 1_500, timeoutMs: limitMs, what })
  return undefined
}

/** Until the Cluster is gone, no longer than its controllers must. */
export async function left(departure: Departure, clock: Clock, { api, signal, tell }: Tools): Promise<undefined> {
  const namespace = namespaceRef(executionNamespace(departure.name))
  await waitGone(api, namespace, { clock, signal, tell, timeoutMs: limitMs })
  await poke(departure, api, clock, signal)
  return undefined
}

const namespaceRef = (name: string): ObjectRef => ({ apiVersion: 'v1', kind: 'Namespace', name })

/** Any change makes its controller look at once, where it would look each ten seconds. */
async function poke({ name, force }: Departure, api: ClusterApi, clock: Clock, signal: AbortSignal): Promise<void> {
  const began = clock.now()
  await poll(
    async () => {
      const late = clock.now() - began > patienceMs
      const patch = {
        metadata: {
          annotations: { 'coe/leaving': `${clock.now()}` },
          ...(late && force ? { finalizers: null } : {}),
        },
      }
      return (await patchIfThere(api, clusterRef(name), patch, signal)) ? undefined : true
    },
    {
      clock,
      signal,
      intervalMs: pokeMs,
      maxIntervalMs: pokeMs,
      timeoutMs: 120_000,
      what: `Cluster ${name} to leave the federation`,
    },
  )
}
