import type { Answer } from '../../http.ts'
import { expired, failureStatus } from '../failure.ts'
import { idOf } from '../resource-types.ts'
import { matcherOf } from '../selectors.ts'
import type { Change } from '../store.ts'
import { type Call, sent } from './call.ts'
import { refuseFuture } from './read.ts'

const longestMs = 30 * 60_000
const bookmarkEveryMs = 60_000

type Event = { type: string; object: unknown }

/** Streams events: existing objects (unless a resourceVersion is given), then changes. */
export function watch(call: Call): Answer {
  const { plane, type, request } = call
  const { query } = request
  const id = idOf(type)
  const selected = matcherOf(query, type)
  const inScope = (change: Change) =>
    change.id === id &&
    (call.namespace === undefined || change.object.metadata.namespace === call.namespace) &&
    (call.name === undefined || change.object.metadata.name === call.name)

  const queue: Event[] = []
  let wake = () => {}
  const push = (event: Event) => {
    queue.push(event)
    wake()
  }
  const offer = (change: Change) => {
    if (!inScope(change)) return
    const is = change.type !== 'DELETED' && selected(change.object)
    const was = change.previous !== undefined && selected(change.previous)
    if (!is && !was) return
    // an object that no longer matches is deleted for this watcher
    push({ type: is ? (was ? 'MODIFIED' : 'ADDED') : 'DELETED', object: sent(type, change.object) })
  }
  const bookmark = (annotations?: Record<string, string>) => {
    const { kind, version, group } = type
    const metadata = { resourceVersion: String(plane.store.revision()), ...(annotations ? { annotations } : {}) }
    push({ type: 'BOOKMARK', object: { kind, apiVersion: group ? `${group}/${version}` : version, metadata } })
  }

  const since = query.get('resourceVersion') ?? ''
  const initial = query.get('sendInitialEvents') === 'true'
  if (since === '' || since === '0' || initial) {
    for (const object of plane.store.list(id, call.namespace)) {
      const { name } = object.metadata
      if (selected(object) && (call.name === undefined || call.name === name)) {
        push({ type: 'ADDED', object: sent(type, object) })
      }
    }
    if (initial) bookmark({ 'k8s.io/initial-events-end': 'true' })
  } else {
    refuseFuture(Number(since), plane.store.revision())
    const past = plane.store.since(id, Number(since))
    if (!past) {
      const oldest = plane.store.revision()
      push({ type: 'ERROR', object: failureStatus(expired(`too old resource version: ${since} (${oldest})`)) })
      return stream(
        call,
        queue,
        () => {},
        push => (wake = push),
        0,
        undefined,
      )
    }
    for (const change of past) offer(change)
  }
  const stop = plane.store.subscribe(offer)
  const seconds = Number(query.get('timeoutSeconds') ?? 0)
  const wantsBookmarks = query.get('allowWatchBookmarks') === 'true' || query.get('allowWatchBookmarks') === '1'
  const length = seconds > 0 ? seconds * 1000 : longestMs
  return stream(call, queue, stop, set => (wake = set), length, wantsBookmarks ? bookmark : undefined)
}

function stream(
  { request, wireClock }: Call,
  queue: Event[],
  stop: () => void,
  onWake: (wake: () => void) => void,
  lengthMs: number,
  bookmark: (() => void) | undefined,
): Answer {
  async function* events() {
    const over = new AbortController()
    const end = AbortSignal.any([over.signal, request.signal])
    const deadline = wireClock.now() + lengthMs
    try {
      for (;;) {
        while (queue.length > 0) yield `${JSON.stringify(queue.shift())}\n`
        const left = deadline - wireClock.now()
        if (left <= 0 || end.aborted) break
        const pause = new AbortController()
        const sleeping = wireClock.sleep(
          bookmark ? Math.min(left, bookmarkEveryMs) : left,
          AbortSignal.any([pause.signal, end]),
        )
        const woken = new Promise<void>(resolve => onWake(resolve))
        const slept = await Promise.race([
          sleeping.then(
            () => true,
            () => false,
          ),
          woken.then(() => false),
        ])
        pause.abort()
        if (slept) bookmark?.()
      }
      while (queue.length > 0) yield `${JSON.stringify(queue.shift())}\n`
    } finally {
      over.abort()
      stop()
    }
  }
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: events() }
}
