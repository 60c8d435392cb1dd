/** Removes a Cluster from the federation's API, without waiting longer than Karmada's controllers need. */
import { setMaxListeners } from 'node:events'
import { resultOf } from '../../../core/concurrency.ts'
import { CoeError, timedOut } from '../../../core/errors.ts'
import { poll } from '../../../core/poll.ts'
import { plural } from '../../../core/text.ts'
import { formatDuration } from '../../../core/time.ts'
import type { Clock } from '../../../core/world.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import { type KubeObject, type ObjectRef, refOf } from '../../../kube/api/object.ts'
import { follow } from '../../../kube/waiting/follow.ts'
import { waitGone } from '../../../kube/waiting/wait.ts'
import type { Tools } from '../../../plan/step.ts'
import { executionNamespace } from '../names.ts'
import { clusterRef } from '../templates/membership.ts'
import { patchIfThere, preserve, release, type WorkItem, workItem, workKind } from './works.ts'

export interface Departure {
  name: string
  /** What the federation put on the member stays there. */
  keep: boolean
  /** Namespaces stay even where workloads go. */
  keepNamespaces?: boolean | undefined
  /** The member does not answer, so its clean-up is not waited for. */
  force: boolean
}

interface Detached {
  closing: KubeObject | undefined
  /** There was no Cluster of that name. */
  unknown: boolean
}

/** After this time no controller can be expected to finish. */
const patienceMs = 45_000
const pokeMs = 700
const limitMs = 150_000

/**
 * Deletes the Cluster and its Works. Resolves when no Work is left and none can be created, so that the federation does nothing on
 * the member any more. Only the member's namespace in the federation may still be terminating.
 */
export async function detach(departure: Departure, clock: Clock, tools: Tools): Promise<Detached> {
  const { api, signal, changedNothing } = tools
  const { name } = departure
  const namespace = executionNamespace(name)
  const there = await api.delete(clusterRef(name), { signal })
  // not left to the namespace's controller, which would start only after five seconds
  await api.deleteAll(workKind, { namespace, signal })
  const place = await api.get(namespaceRef(namespace), { signal })
  if (!place) {
    if (!there) changedNothing()
    return { closing: undefined, unknown: !there }
  }
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  setMaxListeners(0, until) // each request listens to it
  const patience = Math.min(limitMs, tools.limitMs)
  const late = async (): Promise<never> => {
    await clock.sleep(patience, until)
    throw timedOut(
      `objects in the federation's namespace ${namespace} are still there after ${formatDuration(patience)}`,
    )
  }
  try {
    const closing = await Promise.race([emptied(departure, place, clock, { ...tools, signal: until }), late()])
    return { closing, unknown: !there }
  } finally {
    over.abort(new Error('the wait is over'))
  }
}

/** Waits until controllers have finished all Works; the API refuses new ones in a namespace that is being deleted. */
async function emptied(
  departure: Departure,
  place: KubeObject,
  clock: Clock,
  { api, signal, tell }: Tools,
): Promise<KubeObject | undefined> {
  const left = new Map<string, WorkItem>()
  let closing: { place: KubeObject | undefined } | undefined
  let listed = false
  const done = new AbortController()
  const closed = follow(api, place, isClosing, { clock, signal, forMs: limitMs }).then(found => {
    closing = { place: found }
    if (listed && left.size === 0) done.abort()
  })
  const works = async () => {
    const turns = new Map<string, number>()
    const watched = { namespace: executionNamespace(departure.name), signal: AbortSignal.any([signal, done.signal]) }
    for await (const event of api.watch(workKind, watched)) {
      if (event.type === 'all') left.clear()
      listed = true
      const items = (event.type === 'all' ? event.items : [event.object]).map(workItem)
      for (const item of items) {
        if (event.type === 'gone') left.delete(item.work.name)
        else left.set(item.work.name, item)
      }
      if (left.size === 0 && closing) return
      tell(`${plural(left.size, 'object')} left to release`)
      if (event.type === 'gone') continue
      for (const { work } of items) turns.set(work.name, (turns.get(work.name) ?? 0) + 1)
      // a controller overwrites our change: slow down instead of competing with it
      if (items.some(({ work }) => (turns.get(work.name) ?? 0) > 4)) await clock.sleep(pokeMs, signal)
      await loosen(departure, items, api, signal)
    }
  }
  await Promise.all([
    closed,
    works().catch(error => {
      if (!done.signal.aborted) throw error
    }),
  ])
  return closing?.place
}

const isClosing = (place: KubeObject): KubeObject | undefined => (place.metadata.deletionTimestamp ? place : undefined)

async function loosen(
  { keep, force }: Departure,
  items: readonly WorkItem[],
  api: ClusterApi,
  signal: AbortSignal,
): Promise<void> {
  if (force) return release(api, items, signal)
  if (!keep) return
  // controllers may have rewritten a Work without the mark
  await preserve(
    api,
    items.filter(item => !item.preserved && !item.ofFederation),
    signal,
  )
  // Karmada would try for ever to remove its marks from an object that never had them
  await release(
    api,
    items.filter(item => item.preserved && item.declined === true),
    signal,
  )
}

/** Waits until the Cluster is gone. */
export async function left(
  departure: Departure,
  closing: KubeObject | undefined,
  clock: Clock,
  { api, signal, tell, limitMs: most }: Tools,
): Promise<undefined> {
  if (closing) {
    const from = closing.metadata.resourceVersion
    await waitGone(api, refOf(closing), { clock, signal, tell, timeoutMs: Math.min(limitMs, most), from })
  }
  await poke(departure, api, clock, Math.min(120_000, most), signal)
  return undefined
}

const namespaceRef = (name: string): ObjectRef => ({ apiVersion: 'v1', kind: 'Namespace', name })

/** Changes the Cluster repeatedly: each change makes its controller check at once, instead of every ten seconds. */
async function poke(
  { name, force }: Departure,
  api: ClusterApi,
  clock: Clock,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const began = clock.now()
  const look = async (): Promise<true | undefined> => {
    const late = clock.now() - began > patienceMs
    const patch = {
      metadata: {
        annotations: { 'coe/leaving': `${clock.now()}` },
        ...(late && force ? { finalizers: null } : {}),
      },
    }
    const live = await patchIfThere(api, clusterRef(name), patch, signal)
    if (!live) return true
    const from = live.metadata.resourceVersion
    const wait = await resultOf(waitGone(api, clusterRef(name), { clock, signal, timeoutMs: pokeMs, from }))
    if (wait.ok) return true
    if (wait.error instanceof CoeError && wait.error.outcome === 'timeout') return undefined
    throw wait.error
  }
  const what = `Cluster ${name} to leave the federation`
  await poll(look, { clock, signal, intervalMs: 0, maxIntervalMs: 0, timeoutMs, what })
}
