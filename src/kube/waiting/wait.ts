/** Waits with watches until applied objects are ready or deleted, and checks their pods if that takes long. */
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
  /** Called when the progress changes, or (`trouble`) with the reason why there is none. */
  tell?(text: string, trouble?: boolean): void
  /** Keys of the objects that this run created: reports about them cannot be older than this run. */
  made?: ReadonlySet<string>
  awaits?: Awaited | undefined
  /** Called when pods crash, to repair the cause once. Returns true if it did something. */
  mend?: ((trouble: string) => Promise<boolean>) | undefined
}

/** Something that pods need before they can start. While it is missing, their crashes are expected. */
export interface Awaited {
  /** Describes what is missing; undefined if nothing is. */
  missing(signal: AbortSignal): Promise<string | undefined>
  /** Called when it is no longer missing and pods have crashed without it, so that they need not wait for the end of their back-off. */
  arrived?(signal: AbortSignal): Promise<void>
}

export interface Waiting {
  ref: ObjectRef
  object: KubeObject
  verdict: Verdict
  trouble?: Trouble | undefined
  /** What is missing before it can start. */
  missing?: string | undefined
}

/** Most objects are ready before their pods need to be checked. */
const firstCheckMs = 1_500
const longestPauseMs = 10_000
const lastWordsMs = 2_000

/** Resolves when all objects, as `apply` returned them, are ready. Fails at once if waiting would not help. */
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
      checkPods(api, pending, { ...options, signal }),
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
    // starting from the version that we wrote, the watch misses nothing and needs no list
    ...(alone ? { fields: `metadata.name=${ref.name}`, from: object.metadata.resourceVersion } : {}),
  }
  for await (const event of api.watch(ref, selection)) {
    if (event.type === 'all') for (const item of event.items) take(item, pending, options)
    else if (event.type === 'set') take(event.object, pending, options)
    else if (pending.has(refKey(refOf(event.object)))) {
      throw failed(`${refText(refOf(event.object))} was deleted while coe waited for it`)
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
    throw failed(`${refText(waiting.ref)} cannot become ready: ${verdict.why}`, firstAdvice(options))
  else {
    if (verdict.why !== waiting.verdict.why) options.tell?.(`${waiting.ref.kind} ${waiting.ref.name}: ${verdict.why}`)
    waiting.verdict = verdict
    waiting.object = object
  }
}

/** Checks the pods again and again. Never resolves: it fails early, and collects reasons for the timeout's message. */
async function checkPods(api: ClusterApi, pending: Map<string, Waiting>, options: WaitOptions): Promise<never> {
  const mayPass = secondChances(api, options)
  // a step that waits for another one checks later, so that the other one reports first
  for (let pause = options.awaits ? 2 * firstCheckMs : firstCheckMs; ; pause = Math.min(pause * 1.6, longestPauseMs)) {
    await options.clock.sleep(pause, options.signal)
    for (const waiting of [...pending.values()].filter(w => isWorkload(w.object))) {
      // a failed check is ignored: the watch or the deadline ends the wait
      const trouble = await podTrouble(api, waiting.object, options.signal).catch(() => undefined)
      if (!pending.has(refKey(waiting.ref))) continue
      const excused = trouble && (await mayPass(waiting, trouble))
      const text = trouble && troubleText(trouble, waiting)
      if (text && text !== (waiting.trouble && troubleText(waiting.trouble, waiting))) options.tell?.(text, true)
      waiting.trouble = trouble
      if (trouble?.hopeless && !excused) {
        throw failed(`${refText(waiting.ref)} cannot become ready: ${trouble.text}`, firstAdvice(trouble, options))
      }
    }
  }
}

const troubleText = ({ text, crashes }: Trouble, { missing }: Waiting): string =>
  crashes && missing !== undefined ? `${missing}; until then ${text}` : text

async function deadline(api: ClusterApi, pending: Map<string, Waiting>, options: WaitOptions): Promise<never> {
  await options.clock.sleep(options.timeoutMs, options.signal)
  const all = [...pending.values()]
  // a server that does not answer must not make the wait much longer
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(lastWordsMs)])
  const reasons = await Promise.all(
    all.map(async waiting => {
      const { ref, verdict, trouble } = waiting
      if (trouble) return `${refText(ref)}: ${troubleText(trouble, waiting)}`
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
 * Resolves when the object is deleted, finalizers included. With a uid, also when another object has taken its name. `from` is the
 * version of an object that was just read; it saves a list. `userLimitMs` is the limit that the user set, if this wait gets only a
 * part of it; the error names it.
 */
export async function waitGone(
  api: ClusterApi,
  ref: ObjectRef & { uid?: string | undefined },
  options: WaitOptions & { from?: string | undefined; userLimitMs?: number },
): Promise<void> {
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  let last: KubeObject | undefined
  const watch = async (): Promise<void> => {
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
    // even if there was no time for the watch, say what holds the object
    const soon = AbortSignal.any([signal, AbortSignal.timeout(lastWordsMs)])
    last ??= await api.get(ref, { signal: soon }).catch(() => undefined)
    throw timedOut(
      `${refText(ref)} still exists after ${formatDuration(options.userLimitMs ?? options.timeoutMs)}${last ? `: ${heldBy(last)}` : ''}`,
      firstAdvice(options, {
        hint: 'the controller that set the finalizer must remove it; then run this again',
      }),
    )
  }
  try {
    await Promise.race([watch(), limit()])
  } catch (error) {
    // when its namespace is deleted, the watch may fail with 404
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
