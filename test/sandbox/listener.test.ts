import { Agent } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { createSandboxClock } from '../../src/sandbox/clock.ts'
import { createFaults, type Effect } from '../../src/sandbox/faults.ts'
import { json } from '../../src/sandbox/http.ts'
import { type Listener, type ListenerOptions, listen } from '../../src/sandbox/listener.ts'
import { createLog } from '../../src/sandbox/log.ts'
import { send } from './request.ts'

let open: Listener[] = []
afterEach(async () => {
  await Promise.all(open.map(listener => listener.close()))
  open = []
})

async function serve(options: Partial<ListenerOptions> = {}) {
  const faults = createFaults()
  const log = createLog(createSandboxClock())
  let handled = 0
  const listener = await listen({
    name: 'here',
    handler: async request => {
      handled++
      const body = await request.body()
      return json(200, { path: request.path, q: request.query.get('q'), got: body.toString() })
    },
    faults,
    log,
    ...options,
  })
  open.push(listener)
  const order = (effect: Effect, more: { nth?: number; times?: number; path?: RegExp } = {}) =>
    faults.order({ effect, ...more })
  return { listener, faults, log, order, handled: () => handled }
}

describe('a listener', () => {
  it('answers, and logs its answers', async () => {
    const { listener, log } = await serve()
    const reply = await send('POST', `${listener.url}/a%2Fb?q=1`, { body: 'hello' })
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ path: '/a%2Fb', q: '1', got: 'hello' })
    expect(reply.headers.server).toContain('simulation')
    await send('GET', `${listener.url}/x`)
    expect(log.all().map(e => [e.method, e.url, e.status, e.processed])).toEqual([
      ['POST', '/a%2Fb?q=1', 200, true],
      ['GET', '/x', 200, true],
    ])
    expect(log.writes()).toHaveLength(1)
  })

  it('keeps connections open', async () => {
    const { listener } = await serve()
    const agent = new Agent({ keepAlive: true })
    for (let i = 0; i < 5; i++) await send('GET', `${listener.url}/`, { agent })
    agent.destroy()
    expect(listener.connections).toBe(1)
  })

  it('serves IPv6', async () => {
    const { listener } = await serve({ host: '::1' })
    expect(listener.url).toMatch(/^http:\/\/\[::1\]:/)
    expect((await send('GET', `${listener.url}/`)).status).toBe(200)
  })

  it('streams, and tells the service when the client has disconnected', async () => {
    let disconnected: () => void
    const gone = new Promise<void>(resolve => {
      disconnected = resolve
    })
    const { listener } = await serve({
      handler: request => ({
        status: 200,
        body: (async function* () {
          yield 'one\n'
          await new Promise(resolve => request.signal.addEventListener('abort', resolve, { once: true }))
          disconnected()
        })(),
      }),
    })
    const leave = new AbortController()
    const first = await fetch(`${listener.url}/watch`, { signal: leave.signal })
    const reader = first.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('one\n')
    leave.abort()
    await gone
  })

  it('close() ends unfinished answers', async () => {
    const { listener } = await serve({ handler: () => new Promise(() => {}) })
    const pending = send('GET', `${listener.url}/`)
    const outcome = expect(pending).rejects.toThrow()
    await new Promise(resolve => setImmediate(resolve))
    await listener.close()
    await outcome
  })

  it('reports a bug of the sandbox as such', async () => {
    const { listener } = await serve({
      handler: () => {
        throw new Error('oops')
      },
    })
    const reply = await send('GET', `${listener.url}/`)
    expect(reply.status).toBe(500)
    expect(reply.json.sandbox_bug).toContain('oops')
  })
})

describe('ordered faults', () => {
  it('answer in place of the service, from the nth matching request on, a number of times', async () => {
    const { listener, order, handled } = await serve()
    const placed = order(
      { kind: 'answer', status: 503, body: { e: 1 }, headers: { 'Retry-After': '1' } },
      { nth: 2, times: 2, path: /^\/x/ },
    )
    const statuses: number[] = []
    for (const path of ['/x', '/y', '/x', '/x', '/x']) statuses.push((await send('GET', listener.url + path)).status)
    expect(statuses).toEqual([200, 200, 503, 503, 200])
    expect(handled()).toBe(3)
    expect(placed.hits).toBe(2)
  })

  it('reset the connection before, or after, the service did its work', async () => {
    const { listener, order, handled, log } = await serve()
    order({ kind: 'reset-before' })
    await expect(send('GET', `${listener.url}/`)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(handled()).toBe(0)
    order({ kind: 'reset-after' })
    await expect(send('POST', `${listener.url}/`, { body: 'x' })).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(handled()).toBe(1)
    expect(log.all().map(e => [e.status, e.processed])).toEqual([
      [0, false],
      [0, true],
    ])
  })

  it('truncate a body', async () => {
    const { listener, order } = await serve()
    order({ kind: 'truncate', bytes: 5 })
    await expect(send('GET', `${listener.url}/`)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('stall a body, for ever or byte by byte', async () => {
    const { listener, order } = await serve()
    order({ kind: 'stall', bytes: 3 })
    await expect(send('GET', `${listener.url}/`, { signal: AbortSignal.timeout(80) })).rejects.toThrow()
    order({ kind: 'stall', bytes: 3, dripMs: 1 })
    expect((await send('GET', `${listener.url}/`)).json.path).toBe('/')
  })

  it('redirect, and return garbage', async () => {
    const { listener, order } = await serve()
    order({ kind: 'redirect', to: 'http://127.0.0.1:1/steal' })
    const moved = await send('GET', `${listener.url}/`)
    expect([moved.status, moved.headers.location]).toEqual([302, 'http://127.0.0.1:1/steal'])
    order({ kind: 'garbage' })
    const page = await send('GET', `${listener.url}/`)
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html'])
    order({ kind: 'garbage', bytes: '{"half":' })
    expect((await send('GET', `${listener.url}/`)).text).toBe('{"half":')
  })

  it('delay an answer, and let the others through', async () => {
    const { listener, order } = await serve()
    order({ kind: 'delay', ms: 60 })
    const started = Date.now()
    expect((await send('GET', `${listener.url}/`)).status).toBe(200)
    expect(Date.now() - started).toBeGreaterThanOrEqual(55)
  })

  it('hold many answers at once', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    const { listener, order } = await serve()
    let release = () => {}
    const held = order({ kind: 'hold', until: new Promise<void>(resolve => (release = resolve)) }, { times: 12 })
    const replies = Array.from({ length: 12 }, () => send('GET', `${listener.url}/`))
    await expect.poll(() => held.hits, { interval: 5 }).toBe(12)
    release()
    expect((await Promise.all(replies)).map(reply => reply.status)).toEqual(Array(12).fill(200))
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })

  it('hold an answer until it is released or the listener closes', async () => {
    const { listener, order, handled } = await serve()
    let release = () => {}
    order({ kind: 'hold', until: new Promise<void>(resolve => (release = resolve)) })
    const held = send('GET', `${listener.url}/`)
    expect((await send('GET', `${listener.url}/other`)).status).toBe(200)
    expect(handled()).toBe(1)
    release()
    expect((await held).status).toBe(200)
    order({ kind: 'hold', until: new Promise(() => {}) })
    const never = expect(send('GET', `${listener.url}/`)).rejects.toThrow()
    await listener.close()
    await never
  })

  it('kill a server: it is silent, or refuses connections', async () => {
    const first = await serve()
    first.order({ kind: 'dead' })
    for (let i = 0; i < 2; i++) {
      await expect(send('GET', `${first.listener.url}/`, { signal: AbortSignal.timeout(50) })).rejects.toThrow()
    }
    expect(first.handled()).toBe(0)
    const second = await serve()
    second.order({ kind: 'dead', refuse: true })
    await expect(send('GET', `${second.listener.url}/`)).rejects.toMatchObject({ code: 'ECONNRESET' })
    await expect(send('GET', `${second.listener.url}/`)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('the sandbox clock', () => {
  it('runs due work in order, and at its own time, when advanced', () => {
    const clock = createSandboxClock({ speed: 0 })
    const start = clock.now()
    const seen: [string, number][] = []
    clock.after(2000, () => seen.push(['later', clock.now() - start]))
    clock.after(1000, () => {
      seen.push(['first', clock.now() - start])
      clock.after(500, () => seen.push(['chained', clock.now() - start]))
    })
    const cancel = clock.after(1200, () => seen.push(['never', 0]))
    cancel()
    clock.advance(1999)
    expect(seen).toEqual([
      ['first', 1000],
      ['chained', 1500],
    ])
    clock.advance(1)
    expect(seen.at(-1)).toEqual(['later', 2000])
  })

  it('runs faster than real time on request, and wakes sleepers', async () => {
    const clock = createSandboxClock({ speed: 10_000 })
    const started = Date.now()
    await clock.sleep(60_000)
    expect(Date.now() - started).toBeLessThan(2000)
    clock.stop()
  })

  it('rejects a sleeper whose signal aborts, and all sleepers when it stops', async () => {
    const clock = createSandboxClock({ speed: 0 })
    const why = new AbortController()
    const first = expect(clock.sleep(1000, why.signal)).rejects.toThrow('enough')
    why.abort(new Error('enough'))
    await first
    const second = expect(clock.sleep(1000)).rejects.toThrow('stopped')
    clock.stop()
    await second
  })
})
