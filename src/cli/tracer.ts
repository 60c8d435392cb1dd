/** Requests as --debug, --trace and --timing show them; with -v those that change something. */

import { CoeError } from '../core/errors.ts'
import { stringifyExact, withExactNumbers } from '../core/exact-json.ts'
import type { World } from '../core/world.ts'
import type { Tracer } from '../http/trace.ts'
import type { Log } from '../io/log.ts'
import type { Redactor } from '../io/redact.ts'
import type { Sink } from '../io/streams.ts'

export interface TracerOptions {
  log: Log
  redactor: Redactor
  world: World
  stderr: Sink
  timing: boolean
}

export function requestTracer(options: TracerOptions): Tracer | undefined {
  const { log, redactor, world, stderr, timing } = options
  if (!log.enabled('info') && !timing) return undefined
  return {
    begin(method, url, request) {
      const started = world.clock.now()
      const write = method === 'GET' || method === 'HEAD' ? log.debug : log.info
      log.trace(() => `→ ${method} ${url} ${JSON.stringify(redactor.headers(request.headers ?? {}))}`)
      if (request.body !== undefined) log.trace(() => `→ ${bodyText(redactor, request.body)}`)
      return ended => {
        const ms = world.clock.now() - started
        if (timing) stderr.write(`${redactor.redact(`${method} ${url}`)} ${(ms / 1000).toFixed(3)} s\n`)
        if (ended instanceof CoeError) return write(() => `${method} ${url} failed after ${ms} ms: ${ended.message}`)
        const id = ended.headers['x-openstack-request-id'] ?? ended.headers['audit-id']
        write(() => `${method} ${url} → ${ended.status} in ${ms} ms${id ? ` (${id})` : ''}`)
        log.trace(() => `← ${JSON.stringify(redactor.headers(ended.headers))}`)
        if (ended.text) log.trace(() => `← ${bodyText(redactor, ended.text)}`)
      }
    },
  }
}

/** A body without its secrets. Of a body that is not JSON only the length is shown, since secrets in it cannot be found. */
function bodyText(redactor: Redactor, body: unknown): string {
  if (typeof body !== 'string') return JSON.stringify(redactor.body(body))
  try {
    return stringifyExact(redactor.body(withExactNumbers(body, JSON.parse(body))))
  } catch {
    return `(${body.length} characters that are not JSON)`
  }
}
