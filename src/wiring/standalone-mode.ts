/** What a run in standalone mode stands on: drivers, what they are given, and the backend over them. Loaded as one. */
import type { Context } from '../cli/context.ts'
import { preferredCloud } from '../cli/mode.ts'
import { cloudFlags } from '../cli/options/globals.ts'
import { requestTracer } from '../cli/tracer.ts'
import { version } from '../cli/version.ts'
import { couldPickCloud } from '../config/clouds/clouds.ts'
import { coePaths, userPath } from '../config/paths.ts'
import { turns } from '../core/concurrency.ts'
import { failed } from '../core/errors.ts'
import { makeDriverApi } from '../drivers/coe-api.ts'
import { localState } from '../local/local-state.ts'
import type { Backend } from '../model/backend.ts'
import { standaloneBackend } from '../standalone/backend.ts'
import type { Standalone } from '../standalone/deps.ts'
import type { Webhook } from '../standalone/federations/notify.ts'
import { registryOf } from './open-drivers.ts'

/** Credential plugins that a look over many clusters starts at a time. */
const pluginsAtOnce = 8

export async function openStandalone(context: Context): Promise<Backend> {
  const settings = await context.settings()
  const { kubeconfig } = context.globals
  const { world: machine, signal, redactor } = context
  const world = kubeconfig === undefined ? machine : { ...machine, env: { ...machine.env, KUBECONFIG: kubeconfig } }
  const paths = coePaths(world)
  const assets = settings.get('assets').value
  const { picked } = await couldPickCloud(world, cloudFlags(context.globals), preferredCloud(settings))
  const shared = {
    world,
    userAgent: `coe/${version} node/${context.host.versions.node}`,
    tracer: requestTracer(context),
    signal,
    onStderr: (text: string) => context.note(text),
    timeoutMs: settings.get('request_timeout').value,
    addSecret: redactor.addSecret,
    folders: { assets: assets === undefined ? undefined : userPath(assets, world), cache: paths.cache },
    ...(picked ? { cloud: () => context.cloud() } : {}),
  }
  const coe = makeDriverApi({ ...shared, prompting: context.interactive ? 'allow' : 'without' })
  const looking = makeDriverApi({
    ...shared,
    prompting: 'never',
    onStderr: () => {},
    pluginTurn: turns(pluginsAtOnce),
    repeatRefused: false,
  })
  const drivers = registryOf(coe, settings, (name, { message }) =>
    context.warn(`driver ${name} cannot be used: ${message}`),
  )
  const note = onceEach(text => context.note(text))
  const local = localState({
    world,
    state: paths.state,
    contexts: () => coe.contexts(),
    warn: text => note(`warning: ${text}`),
  })
  const deps: Standalone = {
    world,
    coe,
    drivers,
    looking,
    local,
    signal,
    webhook: webhookTo(settings.get('notifications.webhook').value, shared),
    note,
  }
  return standaloneBackend(deps)
}

interface Caller {
  world: Context['world']
  userAgent: string
  tracer: ReturnType<typeof requestTracer>
}

/** A change is not held up for long by who wants to hear of it; an interrupted one is still told of. */
function webhookTo(url: string | undefined, { world, userAgent, tracer }: Caller): Webhook {
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

/** A command that looks again and again (--watch, wait) says the same thing once. */
function onceEach(note: (text: string) => void): (text: string) => void {
  const said = new Set<string>()
  return text => {
    if (said.has(text)) return
    said.add(text)
    note(text)
  }
}
