/** Builds the `DriverApi` that drivers get, for one call. */
import { inClusterAccess, type KubeAccess, loadKubeconfig, resolveContext } from '../config/kubeconfig/kubeconfig.ts'
import type { Turns } from '../core/concurrency.ts'
import { CoeError, conflict, denied, failed, notFound, timedOut, usage } from '../core/errors.ts'
import { poll } from '../core/poll.ts'
import type { World } from '../core/world.ts'
import type { Tracer } from '../http/trace.ts'
import { connectCluster, inlineAccess } from '../kube/access/connect.ts'
import type { Prompting } from '../kube/access/exec-credential.ts'
import type { CloudSession } from '../openstack/session.ts'
import { isUnknown } from '../plan/unknown.ts'
import type { DriverApi } from './driver-api.ts'

export interface CoeSettings {
  world: World
  userAgent: string
  tracer?: Tracer | undefined
  signal: AbortSignal
  /** Whether credential plugins of the kubeconfig may prompt the user. */
  prompting?: Prompting
  /** As in ConnectOptions. */
  pluginTurn?: Turns
  repeatRefused?: boolean
  onStderr?(text: string): void
  addSecret(value: string): void
  /** The time limit of one request, retries included. */
  timeoutMs?: number
  folders: DriverApi['folders']
  cloud?: (() => Promise<CloudSession>) | undefined
  /** The access to the cluster whose pod coe runs in. */
  inCluster?: (world: World) => Promise<KubeAccess | undefined>
}

export function makeDriverApi(settings: CoeSettings): DriverApi {
  const { world, userAgent, tracer, signal, addSecret } = settings
  let loaded: ReturnType<typeof loadKubeconfig> | undefined
  const kubeconfig = (file: string | undefined) => {
    if (file !== undefined) return loadKubeconfig({ ...world, env: { ...world.env, KUBECONFIG: file } })
    loaded ??= loadKubeconfig(world)
    return loaded
  }
  /** Without a kubeconfig, the only context is the cluster whose pod coe runs in. */
  const inside = async (file: string | undefined) => {
    if (file !== undefined || (await kubeconfig(file)).contexts.size > 0) return undefined
    return (settings.inCluster ?? inClusterAccess)(world)
  }
  return {
    world,
    folders: settings.folders,
    addSecret,
    connect: (access, options = {}) =>
      connectCluster('clusterEntry' in access ? access : inlineAccess(access), {
        world,
        userAgent,
        tracer,
        addSecret: value => value !== undefined && addSecret(value),
        ...(settings.timeoutMs === undefined ? {} : { timeoutMs: settings.timeoutMs }),
        ...(settings.prompting ? { prompting: settings.prompting } : {}),
        ...(settings.pluginTurn ? { pluginTurn: settings.pluginTurn } : {}),
        ...(settings.repeatRefused === undefined ? {} : { repeatRefused: settings.repeatRefused }),
        ...(settings.onStderr ? { onStderr: settings.onStderr } : {}),
        ...options,
      }),
    async download(url) {
      const { download } = await import('../http/download.ts')
      return download(url, { env: world.env, userAgent, tracer, signal })
    },
    async contexts(file) {
      const own = await inside(file)
      return own ? [own.name] : [...(await kubeconfig(file)).contexts.keys()]
    },
    async context(name, file) {
      const own = await inside(file)
      return own && (name ?? own.name) === own.name ? own : resolveContext(world, await kubeconfig(file), name)
    },
    ...(settings.cloud ? { cloud: settings.cloud } : {}),
    errors: { CoeError, conflict, denied, failed, notFound, timedOut, usage },
    poll,
    isUnknown,
  }
}
