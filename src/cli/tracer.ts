/** Requests as --debug, --trace and --timing show them; with -v those that change something. */

import { CoeError } from '../core/errors.ts'
import { stringifyExact, withExactNumbers } from '../core/exact-json.ts'
import type { Tracer } from '../http/trace.ts'
import type { Context } from './context.ts'

export function requestTracer(context: Context): Tracer | undefined {
  const { log, redactor, world } = context
  const timing = context.globals.timing === true
  if (!log.enabled('info') && !timing) return undefined
  return {
    begin(method, url, request) {
      const started = world.clock.now()
      const tell = method === 'GET' || method === 'HEAD' ? log.debug : log.info
      log.trace(() => `→ ${method} ${url} ${JSON.stringify(redactor.headers(request.headers ?? {}))}`)
      if (request.body !== undefined) log.trace(() => `→ ${bodyText(context, request.body)}`)
      return ended => {
        const ms = world.clock.now() - started
        if (timing) context.streams.stderr.write(`${redactor.redact(`${method} ${url}`)} ${(ms / 1000).toFixed(3)} s\n`)
        if (ended instanceof CoeError) return tell(() => `${method} ${url} failed after ${ms} ms: ${ended.message}`)
        const id = ended.headers['x-openstack-request-id'] ?? ended.headers['audit-id']
        tell(() => `${method} ${url} → ${ended.status} in ${ms} ms${id ? ` (${id})` : ''}`)
        log.trace(() => `← ${JSON.stringify(redactor.headers(ended.headers))}`)
        if (ended.text) log.trace(() => `← ${bodyText(context, ended.text)}`)
      }
    },
  }
}

/** A body without its secrets; what is not JSON is only measured, since nothing can be found in it. */
function bodyText(context: Context, body: unknown): string {
  if (typeof body !== 'string') return JSON.stringify(context.redactor.body(body))
  try {
    return stringifyExact(context.redactor.body(withExactNumbers(body, JSON.parse(body))))
  } catch {
    return `(${body.length} characters that are not JSON)`
  }
}
