/** Opens standalone mode: drivers, their dependencies, and the backend that uses them. All of it is loaded together. */
import { coePaths, userPath } from '../config/paths.ts'
import { turns } from '../core/concurrency.ts'
import { failed } from '../core/errors.ts'
import { makeDriverApi } from '../drivers/coe-api.ts'
import { localState } from '../local/local-state.ts'
import type { Backend } from '../model/backend.ts'
import { type Call, perCall, type Report } from '../model/call.ts'
import { standaloneBackend } from '../standalone/backend.ts'
import type { Standalone } from '../standalone/deps.ts'
import type { Webhook } from '../standalone/federations/notify.ts'
import type { BackendDeps } from './open-backend.ts'
import { registryOf } from './open-drivers.ts'

/** How many credential plugins a query of many clusters starts at a time. */
const pluginsAtOnce = 8

export function openStandalone(opening: BackendDeps): Backend {
  const { world } = opening
  const { settings, secrets, userAgent, tracer, cloud } = opening
  const assets = settings.get('assets').value
  const paths = coePaths(world)
  const pluginTurn = turns(pluginsAtOnce)
  const warnOnce = onceEach(opening.warn)
  const depsFor = (call: Call): Standalone => {
    const { signal, report, caller } = call
    const shared = {
      world,
      userAgent,
      tracer,
      signal,
      timeoutMs: settings.get('request_timeout').value,
      addSecret: secrets.addSecret,
      folders: { assets: assets === undefined ? undefined : userPath(assets, world), cache: paths.cache },
      ...(cloud ? { cloud: async () => (await cloud()).within(signal) } : {}),
    }
    const coe = makeDriverApi({
      ...shared,
      prompting: caller.interactive ? 'allow' : 'without',
      onStderr: text => noteLines(report, text),
    })
    const noteOnce = onceEach(text => report.note(text))
    return {
      world,
      call,
      coe,
      looking: makeDriverApi({ ...shared, prompting: 'never', pluginTurn, repeatRefused: false }),
      drivers: registryOf(coe, settings, (name, error) => warnOnce(`driver ${name} cannot be used: ${error.message}`)),
      local: localState({
        world,
        state: paths.state,
        contexts: () => coe.contexts(),
        warn: text => noteOnce(`warning: ${text}`),
      }),
      webhook: webhookTo(opening),
      noteOnce,
    }
  }
  return standaloneBackend(world, perCall(depsFor))
}

/** The short timeout keeps a slow webhook from delaying a change. Interrupted changes are reported too. */
function webhookTo({ world, userAgent, tracer, settings }: BackendDeps): Webhook {
  const url = settings.get('notifications.webhook').value
  if (url === undefined) return undefined
  return async event => {
    const { makeEndpoint } = await import('../http/transport.ts')
    const endpoint = await makeEndpoint({
      name: 'the webhook',
      url,
      timeoutMs: 5_000,
      userAgent,
      tracer,
      env: world.env,
    })
    const headers = { 'content-type': 'application/cloudevents+json' }
    const { status } = await endpoint.request({ method: 'POST', path: '', headers, body: JSON.stringify(event) })
    if (status >= 300) throw failed(`it answered HTTP ${status}`)
  }
}

/** Shows the output of a credential plugin at once, such as a link to open or a code to type. */
function noteLines(report: Report, text: string): void {
  for (const line of text.split(/\r?\n/)) if (line.trim() !== '') report.note(line)
}

/** Commands that repeat a query (--watch, wait) print the same note only once. */
function onceEach(note: (text: string) => void): (text: string) => void {
  const printed = new Set<string>()
  return text => {
    if (printed.has(text)) return
    printed.add(text)
    note(text)
  }
}
