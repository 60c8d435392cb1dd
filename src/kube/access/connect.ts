/** A context (or what stands for one) becomes a cluster to talk with. Nothing is asked of it yet. */
import type { KubeAccess } from '../../config/kubeconfig/kubeconfig.ts'
import type { Turns } from '../../core/concurrency.ts'
import type { World } from '../../core/world.ts'
import type { Tracer } from '../../http/trace.ts'
import type { FederationAccess } from '../../model/backend.ts'
import { makeChannel } from '../api/channel.ts'
import type { ClusterApi } from '../api/cluster-api.ts'
import { makeCluster } from './cluster.ts'
import type { Prompting } from './exec-credential.ts'

export interface ConnectOptions {
  world: World
  userAgent: string
  tracer?: Tracer | undefined
  /** May credential plugins ask the person? `without` when absent. */
  prompting?: Prompting
  /** When a credential plugin may start, where many may want to at a time. */
  pluginTurn?: Turns | undefined
  /** Where plugins' words go. */
  onStderr?(text: string): void
  /** Told of tokens and passwords, so that nothing prints them. */
  addSecret?(value: string | undefined): void
  /** For all of one request: short for a probe. */
  timeoutMs?: number
  /** How often what may be repeated is tried: 1 for a probe. */
  attempts?: number
  /** A connection that is refused is tried again, as a server that restarts needs it. Not in a look over many clusters. */
  repeatRefused?: boolean
  /** How it is called in errors, where "the API server of (context)" tells too little. */
  title?: string
}

/** What does not even connect is given up before what may still answer; a plugin may have to reach a server of its own. */
const probeLimits = (ms: number) => ({ connectMs: 0.8 * ms, pluginMs: 2 * ms })

export function connectCluster(access: KubeAccess, options: ConnectOptions): ClusterApi {
  const channel = makeChannel(access, {
    world: options.world,
    userAgent: options.userAgent,
    tracer: options.tracer,
    prompting: options.prompting ?? 'without',
    onStderr: options.onStderr ?? (() => {}),
    addSecret: options.addSecret ?? (() => {}),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.attempts === undefined ? {} : { attempts: options.attempts }),
    ...(options.repeatRefused === undefined ? {} : { repeatRefused: options.repeatRefused }),
    ...(options.prompting === 'never' && options.timeoutMs ? probeLimits(options.timeoutMs) : {}),
    pluginTurn: options.pluginTurn,
    ...(options.title === undefined ? {} : { title: options.title }),
  })
  return makeCluster(channel, { clock: options.world.clock, namespace: access.namespace ?? 'default' })
}

/** The way in of a federation, or of anything else whose credentials are at hand. */
export interface InlineAccess extends FederationAccess {
  tlsServerName?: string | undefined
  insecure?: boolean
  proxyUrl?: string | undefined
}

/** Access from credentials in hand (of Magnum's CA, or of a federation just made), with no kubeconfig at all. */
export const inlineAccess = (inline: InlineAccess): KubeAccess => ({
  name: inline.name,
  server: inline.server.replace(/\/+$/, ''),
  ca: inline.ca,
  tlsServerName: inline.tlsServerName,
  insecure: inline.insecure ?? false,
  proxyUrl: inline.proxyUrl,
  namespace: undefined,
  cert: inline.cert,
  key: inline.key,
  user: inline.token === undefined ? {} : { token: inline.token },
  clusterEntry: inline.name,
  userEntry: undefined,
  file: '',
})
