/** What a run in standalone mode stands on: drivers, what they are given, and the backend over them. Loaded as one. */
import type { Context } from './cli/context.ts'
import { cloudFlags } from './cli/globals.ts'
import { preferredCloud } from './cli/mode.ts'
import { requestTracer } from './cli/tracer.ts'
import { version } from './cli/version.ts'
import { couldPickCloud } from './config/clouds.ts'
import { coePaths, userPath } from './config/paths.ts'
import { makeDriverApi } from './drivers/coe-api.ts'
import { makeRegistry } from './drivers/registry.ts'
import type { Backend } from './model/backend.ts'
import { standaloneBackend } from './standalone/backend.ts'
import type { Standalone } from './standalone/room.ts'

/** For one request of a probe. */
const probeMs = 3_000

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
    addSecret: redactor.addSecret,
    folders: { assets: assets === undefined ? undefined : userPath(assets, world), cache: paths.cache },
    ...(picked ? { cloud: () => context.cloud() } : {}),
  }
  const coe = makeDriverApi({ ...shared, prompting: context.interactive ? 'allow' : 'without' })
  const probing = makeDriverApi({ ...shared, prompting: 'refuse', onStderr: () => {} })
  const drivers = makeRegistry({
    coe,
    folders: settings.get('drivers.folders').value.map(folder => userPath(folder, world)),
    enabled: settings.get('drivers.enabled').value,
    disabled: settings.get('drivers.disabled').value,
  })
  const room: Standalone = {
    world,
    coe,
    drivers,
    probe: async name => probing.connect(await probing.context(name), { timeoutMs: probeMs }),
    state: paths.state,
    signal,
    note: text => context.note(text),
  }
  return standaloneBackend(room)
}
