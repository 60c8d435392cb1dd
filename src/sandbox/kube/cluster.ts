import { randomBytes } from 'node:crypto'
import { systemClock } from '../../core/time.ts'
import type { Clock } from '../../core/world.ts'
import type { Issuer } from '../../pki/certificates.ts'
import type { SandboxClock } from '../clock.ts'
import type { FaultOrder, Faults, PlacedFault } from '../faults.ts'
import type { Handler } from '../http.ts'
import { type Listener, listen } from '../listener.ts'
import type { LoggedRequest, RequestLog } from '../log.ts'
import { type Authority, type Credentials, createAuthority } from './access/authority.ts'
import { kubeconfigText } from './access/kubeconfig-text.ts'
import { admitPod } from './access/quota.ts'
import { createTokenSigner, type User } from './access/tokens.ts'
import { bootstrap } from './bootstrap.ts'
import type { ControlPlane } from './control-plane.ts'
import { runControllers } from './controllers/host.ts'
import { clusterControllers } from './controllers/index.ts'
import type { PodRuntime } from './controllers/kubelet.ts'
import { createPodNetwork, type PodNetwork } from './network/pod-network.ts'
import { createControlPlane } from './plane.ts'
import { restHandler } from './rest/handler.ts'
import { type NodeSeed, seedNodes, seedStorageClass, turnNode } from './seed.ts'
import { type SnapshotEntry, snapshotOf } from './snapshot.ts'
import type { Timings } from './timings.ts'

export interface ClusterOptions {
  name: string
  at: { host: string; port: number }
  clock: SandboxClock
  wireClock?: Clock | undefined
  timings: Timings
  log: RequestLog
  faults: Faults
  latencyMs?: number | undefined
  version?: string | undefined
  servicePrefix?: string | undefined
  /** Signs the serving and client certificates; by default the cluster has its own CA. */
  issuer?: Issuer | undefined
  nodes: NodeSeed[]
  /** False: no default class, so claims stay pending. */
  defaultStorageClass: string | false
  /** Allocates addresses for Services of type LoadBalancer; without it they stay pending. */
  loadBalancer?: (() => string) | undefined
  /** The behaviour of pods with certain images. */
  runtime?: ((plane: ControlPlane, network: PodNetwork) => PodRuntime) | undefined
}

/** One simulated Kubernetes cluster: its API server on a real socket, and its controllers. */
export interface KubeCluster {
  readonly name: string
  readonly url: string
  readonly plane: ControlPlane
  readonly network: PodNetwork
  readonly caCertificate: string
  /** The number of connections so far. */
  readonly connections: number
  faults: { order(order: Omit<FaultOrder, 'service'>): PlacedFault }
  log: { all(): LoggedRequest[]; writes(): LoggedRequest[] }
  /** A client certificate by this cluster's CA. */
  clientCertificate(user: string, groups: string[]): Promise<Credentials>
  /** A bearer token for this user, valid as long as the sandbox runs. */
  staticToken(user: string, groups?: string[]): string
  /** Replaces the key of service accounts: earlier tokens are refused. */
  rotateServiceAccountKey(who?: 'all' | 'API server'): void
  /** Replaces the CA: the API server shows a new certificate and refuses earlier client certificates. */
  rotateAuthority(): Promise<void>
  /** Turns the power of a node off or on. */
  turnNode(name: string, to: 'off' | 'on'): void
  /** One context of a cluster admin, with the cluster's name. */
  kubeconfig(): Promise<string>
  snapshot(): SnapshotEntry[]
  /** Stops the API server: connections are refused. Its data is kept. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

const readOnlyPosts = /\/(self|local)?subject(access|rules)?reviews$|\/tokenreviews$|\/serviceaccounts\/[^/]+\/token$/
/** Whether a request is meant to change the server's data. */
export function changesState({ method, url }: { method: string; url: string }): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const [path = '', query = ''] = url.split('?')
  return !readOnlyPosts.test(path) && !new URLSearchParams(query).getAll('dryRun').includes('All')
}

export async function startCluster(options: ClusterOptions): Promise<KubeCluster> {
  const { name, at, clock, timings, log, faults } = options
  const wireClock = options.wireClock ?? systemClock
  let authority: Authority = await createAuthority(name, wireClock.now(), options.issuer)
  const servingNames = {
    dnsNames: [
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
      'localhost',
    ],
    ipAddresses: [...new Set([at.host, '127.0.0.1'])],
  }
  let serving = await authority.server(servingNames)
  const plane = createControlPlane({
    name,
    clock,
    wallNow: () => wireClock.now(),
    caCertificate: authority.certificate,
    version: options.version,
    servicePrefix: options.servicePrefix,
  })
  plane.admit.push((operation, id, object) => {
    if (operation === 'CREATE' && id === 'pods') admitPod(plane, object)
  })
  const network = createPodNetwork()
  const signer = createTokenSigner()
  const tokens = new Map<string, User>()
  bootstrap(plane)
  seedNodes(plane, options.nodes)
  if (options.defaultStorageClass) seedStorageClass(plane, options.defaultStorageClass)
  plane.store.compact() // no client can have seen an older version; a request for one is refused, as by a real server
  const stopControllers = runControllers(
    plane,
    timings,
    clusterControllers({
      plane,
      signer,
      network,
      loadBalancer: options.loadBalancer,
      runtime: options.runtime?.(plane, network),
    }),
  )
  const handler = delayed(
    restHandler({ plane, signer, staticTokens: tokens, wireClock }),
    options.latencyMs ?? 0,
    wireClock,
  )
  const service = `kube:${name}`
  let connections = 0
  const open = (port: number): Promise<Listener> =>
    listen({
      name: service,
      handler,
      tls: { key: serving.key, cert: serving.certificate, clientCa: authority.certificate },
      host: at.host,
      port,
      log,
      faults,
      wireClock,
      beforeEach: () => clock.runDue(),
      changes: changesState,
    })
  let listener: Listener | undefined = await open(at.port)
  const { port } = listener
  const url = `https://${at.host}:${port}`
  const stop = async () => {
    const current = listener
    listener = undefined
    connections += current?.connections ?? 0
    await current?.close()
  }
  return {
    name,
    url,
    plane,
    network,
    get caCertificate() {
      return authority.certificate
    },
    get connections() {
      return connections + (listener?.connections ?? 0)
    },
    faults: { order: order => faults.order({ ...order, service }) },
    log: {
      all: () => log.all().filter(entry => entry.service === service),
      writes: () => log.writes().filter(entry => entry.service === service),
    },
    clientCertificate: (user, groups) => authority.client(user, groups),
    staticToken(user, groups = []) {
      const token = randomBytes(16).toString('hex')
      tokens.set(token, { name: user, groups: [...groups, 'system:authenticated'] })
      return token
    },
    turnNode: (node, to) => turnNode(plane, node, to),
    rotateServiceAccountKey: who => signer.rotate(who),
    async rotateAuthority() {
      authority = await createAuthority(name, wireClock.now())
      serving = await authority.server(servingNames)
      plane.caCertificate = authority.certificate
      await stop()
      listener = await open(port)
    },
    kubeconfig: async () =>
      kubeconfigText([
        {
          name,
          server: url,
          caCertificate: authority.certificate,
          credentials: await authority.client(`${name}-admin`, ['system:masters']),
        },
      ]),
    snapshot: () => snapshotOf(plane.store),
    stop,
    async start() {
      listener ??= await open(port)
    },
    async close() {
      stopControllers()
      await stop()
    },
  }
}

/** Adds the latency of a network, to measure the effect of the number of round trips. */
export function delayed(handler: Handler, ms: number, clock: Clock): Handler {
  if (ms === 0) return handler
  return async request => {
    await clock.sleep(ms, request.signal).catch(() => {})
    return handler(request)
  }
}
