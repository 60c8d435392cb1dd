/** Makes a ClusterApi from a kubeconfig context or from credentials in memory. It sends no request yet. */
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
  /** May credential plugins prompt the user? `without` when absent. */
  prompting?: Prompting
  /** Limits how many credential plugins run at a time. */
  pluginTurn?: Turns | undefined
  /** Receives what plugins print on stderr. */
  onStderr?(text: string): void
  /** Called with each token and password, so that they are never printed. */
  addSecret?(value: string | undefined): void
  /** The limit for one request with all its repetitions: short for a probe. */
  timeoutMs?: number
  /** How often a repeatable request is sent at most: 1 for a probe. */
  attempts?: number
  /** Retries refused connections, since the server may be restarting. False for probes of many clusters. */
  repeatRefused?: boolean
  /** The server's name in errors, if not "the API server of (context)". */
  title?: string
}

/** A probe gives up earlier on connecting than on an answer; a plugin gets longer, since it may call a server of its own. */
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

/** Access to a federation, or to any cluster whose credentials are in memory. */
export interface InlineAccess extends FederationAccess {
  tlsServerName?: string | undefined
  insecure?: boolean
  proxyUrl?: string | undefined
}

/** Access from credentials in memory (signed by Magnum's CA, or of a new federation), with no kubeconfig. */
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
