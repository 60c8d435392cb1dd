/** Waiting for what was applied: watches tell when it is ready, and the pods are asked when that takes long. */
import { CoeError, failed, timedOut } from '../../core/errors.ts'
import { type Advice, firstAdvice } from '../../core/next-step.ts'
import { formatDuration } from '../../core/time.ts'
import type { Clock } from '../../core/world.ts'
import type { ClusterApi } from '../api/cluster-api.ts'
import { recentWarnings } from '../api/events.ts'
import { conditionsOf, type KubeObject, type ObjectRef, refKey, refOf, refText } from '../api/object.ts'
import { podTrouble, type Trouble } from './pod-trouble.ts'
import { isWorkload, judge, type Verdict } from './readiness.ts'
import { secondChances } from './second-chance.ts'

export interface WaitOptions extends Advice {
  clock: Clock
  signal: AbortSignal
  timeoutMs: number
  /** How far it is, whenever that changes; or (`trouble`) why it does not get there. */
  tell?(text: string, trouble?: boolean): void
  /** Those that this run has made, by key: what is told of them cannot be older than it is. */
  made?: ReadonlySet<string>
  awaits?: Awaited | undefined
  /** Pods crash: what can be done about it, once. */
  mend?: ((trouble: string) => Promise<boolean>) | undefined
}

/** Something that pods need before they can start. While it is missing, their crashes say nothing about themselves. */
export interface Awaited {
  /** In words, what is missing; undefined when it is there. */
  missing(signal: AbortSignal): Promise<string | undefined>
  /** It is there now, and pods have crashed for want of it: they need not wait for the end of their back-off. */
  arrived?(signal: AbortSignal): Promise<void>
}

export interface Waiting {
  ref: ObjectRef
  object: KubeObject
  verdict: Verdict
  trouble?: Trouble | undefined
  /** What it cannot start without. */
  missing?: string | undefined
}

/** Most things are ready before anybody need ask their pods. */
const firstLookMs = 1_500
const longestPauseMs = 10_000
const lastWordsMs = 2_000

/** Resolves when all are ready; objects are as `apply` gave them back. Fails at once where waiting would not help. */
export async function waitReady(api: ClusterApi, objects: readonly KubeObject[], options: WaitOptions): Promise<void> {
  const pending = new Map<string, Waiting>()
  for (const object of objects) {
    const verdict = judge(object)
    if (!verdict.ready) pending.set(refKey(refOf(object)), { ref: refOf(object), object, verdict })
  }
  if (pending.size === 0) return
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  const groups = new Map<string, Waiting[]>()
  for (const waiting of pending.values()) {
    const { apiVersion, kind, namespace } = waiting.ref
    const key = `${apiVersion} ${kind} ${namespace ?? ''}`
    groups.set(key, [...(groups.get(key) ?? []), waiting])
  }
  const all = Promise.all([...groups.values()].map(group => watchGroup(api, group, pending, { ...options, signal })))
  try {
    await Promise.race([
      all,
      askPods(api, pending, { ...options, signal }),
      deadline(api, pending, { ...options, signal }),
    ])
  } finally {
    stop.abort(new Error('the wait is over'))
  }
}

async function watchGroup(
  api: ClusterApi,
  group: readonly Waiting[],
  pending: Map<string, Waiting>,
  options: WaitOptions,
): Promise<void> {
  const [{ ref, object }] = group as [Waiting]
  const alone = group.length === 1
  const selection = {
    namespace: ref.namespace,
    signal: options.signal,
    // from the version we wrote on, nothing can be missed, and no list is needed
    ...(alone ? { fields: `metadata.name=${ref.name}`, from: object.metadata.resourceVersion } : {}),
  }
  for await (const event of api.watch(ref, selection)) {
    if (event.type === 'all') for (const item of event.items) take(item, pending, options)
    else if (event.type === 'set') take(event.object, pending, options)
    else if (pending.has(refKey(refOf(event.object)))) {
      throw failed(`${refText(refOf(event.object))} was deleted while it was waited for`)
    }
    if (!group.some(w => pending.has(refKey(w.ref)))) return
  }
}

function take(object: KubeObject, pending: Map<string, Waiting>, options: WaitOptions): void {
  const key = refKey(refOf(object))
  const waiting = pending.get(key)
  if (!waiting) return
  const verdict = judge(object)
  if (verdict.ready) pending.delete(key)
  else if (verdict.hopeless)
    throw failed(`${refText(waiting.ref)} cannot get ready: ${verdict.why}`, firstAdvice(options))
  else {
    if (verdict.why !== waiting.verdict.why) options.tell?.(`${waiting.ref.kind} ${waiting.ref.name}: ${verdict.why}`)
    waiting.verdict = verdict
    waiting.object = object
  }
}

/** Never resolves: it is there to fail early, and to know more when time is up. */
async function askPods(api: ClusterApi, pending: Map<string, Waiting>, options: WaitOptions): Promise<never> {
  const mayPass = secondChances(api, options)
  // who waits for another leaves the first word to that one
  for (let pause = options.awaits ? 2 * firstLookMs : firstLookMs; ; pause = Math.min(pause * 1.6, longestPauseMs)) {
    await options.clock.sleep(pause, options.signal)
    for (const waiting of [...pending.values()].filter(w => isWorkload(w.object))) {
      // a look that fails is none: the watch, or the time, will end this
      const trouble = await podTrouble(api, waiting.object, options.signal).catch(() => undefined)
      if (!pending.has(refKey(waiting.ref))) continue
      const excused = trouble && (await mayPass(waiting, trouble))
      const text = trouble && told(trouble, waiting)
      if (text && text !== (waiting.trouble && told(waiting.trouble, waiting))) options.tell?.(text, true)
      waiting.trouble = trouble
      if (trouble?.hopeless && !excused) {
        throw failed(`${refText(waiting.ref)} cannot get ready: ${trouble.text}`, firstAdvice(trouble, options))
      }
    }
  }
}

const told = ({ text, crashes }: Trouble, { missing }: Waiting): string =>
  crashes && missing !== undefined ? `${missing}; until then ${text}` : text

async function deadline(api: ClusterApi, pending: Map<string, Waiting>, options: WaitOptions): Promise<never> {
  await options.clock.sleep(options.timeoutMs, options.signal)
  const all = [...pending.values()]
  // why, if that can be told soon: a server that says nothing does not make the wait longer
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(lastWordsMs)])
  const reasons = await Promise.all(
    all.map(async waiting => {
      const { ref, verdict, trouble } = waiting
      if (trouble) return `${refText(ref)}: ${told(trouble, waiting)}`
      const [warning] = await recentWarnings(api, ref, 1, signal).catch(() => [])
      return `${refText(ref)}: ${verdict.why}${warning ? ` (${warning})` : ''}`
    }),
  )
  throw timedOut(`gave up waiting after ${formatDuration(options.timeoutMs)}: ${reasons.join('; ')}`, {
    ...firstAdvice(...all.flatMap(w => w.trouble ?? []), options),
    details: { waiting_for: all.map(w => refText(w.ref)) },
  })
}

/**
 * Resolves when it is gone, finalizers and all. With a uid, also when another has taken its name. Of an object that was just
 * read (`from` its version), nothing need be listed. The limit that the user set (`saidMs`) is told where this wait is but a part of it.
 */
export async function waitGone(
  api: ClusterApi,
  ref: ObjectRef & { uid?: string | undefined },
  options: WaitOptions & { from?: string | undefined; userLimitMs?: number },
): Promise<void> {
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  let last: KubeObject | undefined
  const look = async (): Promise<void> => {
    for await (const event of api.watch(ref, {
      namespace: ref.namespace,
      fields: `metadata.name=${ref.name}`,
      from: options.from,
      signal,
    })) {
      const object = event.type === 'all' ? event.items[0] : event.type === 'set' ? event.object : undefined
      if (!object || (ref.uid !== undefined && object.metadata.uid !== ref.uid)) return
      last = object
      options.tell?.(`${refText(ref)}: ${heldBy(object)}`)
    }
  }
  const limit = async (): Promise<never> => {
    await options.clock.sleep(options.timeoutMs, signal)
    // one that had no time left to look tells who holds it all the same
    const soon = AbortSignal.any([signal, AbortSignal.timeout(lastWordsMs)])
    last ??= await api.get(ref, { signal: soon }).catch(() => undefined)
    throw timedOut(
      `${refText(ref)} is not gone after ${formatDuration(options.userLimitMs ?? options.timeoutMs)}${last ? `: ${heldBy(last)}` : ''}`,
      firstAdvice(options, {
        hint: 'whoever put a finalizer there must take it away; run this again to look once more',
      }),
    )
  }
  try {
    await Promise.race([look(), limit()])
  } catch (error) {
    // a namespace that went away takes its kind's right to be watched along
    if (error instanceof CoeError && error.outcome === 'notFound') return
    throw error
  } finally {
    stop.abort(new Error('the wait is over'))
  }
}

/** Why an object that is being deleted is still there. */
export function heldBy(object: KubeObject): string {
  const remaining = conditionsOf(object)
    .filter(c => /Remaining|Failure/.test(c.type) && c.status === 'True')
    .map(c => c.message)
  if (remaining.length) return remaining.join('; ')
  const { finalizers = [], deletionTimestamp } = object.metadata
  if (!deletionTimestamp) return 'it is not being deleted'
  return finalizers.length ? `held by ${finalizers.join(', ')}` : 'it is being deleted'
}
