import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Clock } from '../core/world.ts'
import type { Effect } from './faults.ts'
import { type Answer, type HeaderList, isStream } from './http.ts'

export interface Wire {
  outgoing: ServerResponse
  clock: Clock
  closing: AbortSignal
}

const proxyPage = `<!DOCTYPE html>
<html><head><title>Sandbox proxy</title></head>
<body><h1>Please sign in to continue</h1><p>This page was ordered from the sandbox as a fault.</p></body></html>
`

/**
 * Sends the client what the effects leave of the service's answer. Delays and holds add up; of the others the first
 * decides. Returns the status that the client got, 0 for none.
 */
export async function answerThrough(effects: Effect[], ask: () => Promise<Answer>, wire: Wire): Promise<number> {
  for (const effect of effects) if (!(await waited(effect, wire))) return 0
  const effect = effects.find(({ kind }) => !['delay', 'hold', 'dead'].includes(kind))
  switch (effect?.kind) {
    case 'reset-before':
      return reset(wire)
    case 'reset-after':
      await ask()
      return reset(wire)
    case 'silence-before':
      return 0
    case 'silence-after':
      await ask()
      return 0
    case 'answer':
      return deliver(ordered(effect.status, effect.body, effect.headers), wire)
    case 'redirect':
      return deliver(ordered(effect.status ?? 302, '', { Location: effect.to }), wire)
    case 'garbage': {
      const type = effect.contentType ?? (effect.bytes === undefined ? 'text/html' : 'application/json')
      return deliver(ordered(200, effect.bytes ?? proxyPage, { 'Content-Type': type }), wire)
    }
    case 'truncate':
    case 'stall':
      return deliverPart(await ask(), effect, wire)
    default:
      return deliver(await ask(), wire)
  }
}

/** False if the listener was closed meanwhile. */
async function waited(effect: Effect, { clock, closing }: Wire): Promise<boolean> {
  if (effect.kind === 'hold') {
    const over = new AbortController()
    if (!closing.aborted) {
      await Promise.race([effect.until, once(closing, 'abort', { signal: over.signal })]).finally(() => over.abort())
    }
    return !closing.aborted
  }
  if (effect.kind !== 'delay') return true
  return clock.sleep(effect.ms, closing).then(
    () => true,
    () => false,
  )
}

function ordered(status: number, body: string | object = '', headers: HeaderList = {}): Answer {
  if (typeof body === 'string') return { status, headers, body }
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

function reset({ outgoing }: Wire): number {
  // RST rather than FIN: the client sees ECONNRESET, as when a server process dies
  const { socket } = outgoing
  // a TLS socket cannot send one, but a client cannot tell its sudden end apart
  if (socket && !('encrypted' in socket) && 'resetAndDestroy' in socket) socket.resetAndDestroy()
  else outgoing.destroy()
  return 0
}

function begin(answer: Answer, { outgoing }: Wire, length?: number): void {
  outgoing.statusCode = answer.status
  outgoing.setHeader('Server', 'coe-sandbox (a simulation)')
  for (const [name, value] of Object.entries(answer.headers ?? {})) outgoing.setHeader(name, value)
  if (length !== undefined && answer.status !== 204 && answer.status !== 304) {
    outgoing.setHeader('Content-Length', length)
  }
}

async function deliver(answer: Answer, wire: Wire): Promise<number> {
  const { outgoing } = wire
  if (outgoing.destroyed) return 0
  if (!isStream(answer.body)) {
    const bytes = Buffer.from(answer.body ?? '')
    begin(answer, wire, bytes.length)
    outgoing.end(bytes)
    return answer.status
  }
  begin(answer, wire)
  outgoing.flushHeaders()
  try {
    for await (const chunk of answer.body) {
      if (outgoing.destroyed) return answer.status
      if (!outgoing.write(chunk)) await Promise.race([once(outgoing, 'drain'), once(outgoing, 'close')])
    }
    outgoing.end()
  } catch {
    outgoing.destroy() // to the client, a stream that fails half way looks like a lost connection
  }
  return answer.status
}

async function deliverPart(
  answer: Answer,
  effect: Extract<Effect, { kind: 'truncate' | 'stall' }>,
  wire: Wire,
): Promise<number> {
  const { outgoing } = wire
  const parts: Buffer[] = []
  if (isStream(answer.body)) {
    let size = 0
    for await (const chunk of answer.body) {
      parts.push(Buffer.from(chunk))
      size += Buffer.byteLength(chunk)
      if (size >= effect.bytes) break
    }
    begin(answer, wire)
  } else {
    parts.push(Buffer.from(answer.body ?? ''))
    begin(answer, wire, parts[0]?.length)
  }
  const content = Buffer.concat(parts)
  outgoing.flushHeaders()
  await new Promise<void>(resolve => outgoing.write(content.subarray(0, effect.bytes), () => resolve()))
  if (effect.kind === 'truncate') {
    outgoing.destroy()
    return answer.status
  }
  for (let at = effect.bytes; effect.dripMs && at < content.length && !outgoing.destroyed; at++) {
    try {
      await wire.clock.sleep(effect.dripMs, wire.closing)
    } catch {
      return answer.status
    }
    outgoing.write(content.subarray(at, at + 1))
    if (at === content.length - 1) outgoing.end()
  }
  return answer.status
}
