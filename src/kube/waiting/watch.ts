/** Watches objects. Continues after cut connections, and lists again when the server no longer knows the version. */

import { isTransient } from '../../core/failed-request.ts'
import { readAnswer } from '../../http/answer.ts'
import { transportError } from '../../http/failure.ts'
import type { Wire } from '../access/cluster.ts'
import type { WatchEvent, WatchOptions } from '../api/cluster-api.ts'
import { readStatus, type Status, statusError } from '../api/errors.ts'
import type { Kind, KubeObject } from '../api/object.ts'
import { listObjects } from '../api/read.ts'
import { eventOf } from '../api/shapes.ts'

/** The server is asked to end each watch after `watchSeconds`; a watch that is silent for longer is dead. */
const limitsOf = ({ timeoutMs }: Wire['channel']) => {
  const watchSeconds = Math.ceil((timeoutMs * 1.4) / 1_000)
  return { watchSeconds, idleMs: watchSeconds * 1_250 }
}
const pausesMs = [200, 500, 1_000, 2_000, 5_000]

interface Line {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  object: KubeObject
}

export async function* watchObjects<T extends KubeObject>(
  wire: Wire,
  kind: Kind,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<T>> {
  let from = options.from
  let failures = 0
  for (;;) {
    options.signal?.throwIfAborted()
    try {
      if (from === undefined) {
        const { items, resourceVersion } = await listObjects<T>(wire, kind, options)
        yield { type: 'all', items }
        from = resourceVersion
      }
      for await (const line of lines(wire, kind, options, from)) {
        failures = 0
        if (line.type === 'ERROR') {
          if ((line.object as unknown as Status).code !== 410)
            throw asError(wire, kind, line.object as unknown as Status)
          from = undefined
          break
        }
        from = line.object.metadata.resourceVersion ?? from
        if (line.type === 'BOOKMARK') continue
        yield { type: line.type === 'DELETED' ? 'gone' : 'set', object: line.object as T }
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!isTransient(error)) throw error
      options.onTrouble?.(error)
    }
    // also after a clean end: a server that hangs up at once must not cause a tight loop
    await wire.clock.sleep(pausesMs[Math.min(failures++, pausesMs.length - 1)] ?? 0, options.signal)
  }
}

/** The events of one connection. A 410 answer becomes an ERROR event, as it does in the middle of a watch. */
async function* lines(wire: Wire, kind: Kind, selection: WatchOptions, from: string): AsyncGenerator<Line> {
  const path = await wire.discovery.collection(kind, selection.namespace, selection.signal)
  const ended = new AbortController()
  const signal = selection.signal ? AbortSignal.any([selection.signal, ended.signal]) : ended.signal
  const { watchSeconds, idleMs } = limitsOf(wire.channel)
  const query = {
    watch: 'true',
    labelSelector: selection.labels,
    fieldSelector: selection.fields,
    resourceVersion: from,
    allowWatchBookmarks: 'true',
    timeoutSeconds: watchSeconds,
  }
  try {
    const { status, body } = await wire.channel.stream({ method: 'GET', path, query, signal }, idleMs)
    if (status >= 300) {
      yield { type: 'ERROR', object: (await refusal(status, body)) as unknown as KubeObject }
      return
    }
    try {
      for await (const text of textLines(body)) yield lineIn(text, wire, kind)
    } catch (error) {
      // a watch that worked and then broke is continued, whatever the error
      selection.signal?.throwIfAborted()
      selection.onTrouble?.(transportError(error, { name: wire.channel.title, url: wire.channel.server }, idleMs))
    }
  } finally {
    ended.abort() // closes the connection when the consumer stops
  }
}

/** A line that is not an event counts as a temporary failure: the watch starts again. */
const lineIn = (text: string, { channel }: Wire, kind: Kind): Line =>
  readAnswer(
    { status: 200, headers: {}, text, attempts: 1 },
    { name: channel.title, url: channel.server },
    eventOf(kind),
  )

async function refusal(status: number, body: AsyncIterable<Buffer>): Promise<Status> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return { ...readStatus({ status, text: Buffer.concat(chunks).toString('utf8') }), code: status }
}

/** Drops an incomplete last line: the next watch sends that event again. */
async function* textLines(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    yield* parts.filter(part => part !== '')
  }
}

const asError = (wire: Wire, kind: Kind, status: Status) =>
  statusError(status, { server: wire.channel.title, doing: `watch ${kind.kind}` })
