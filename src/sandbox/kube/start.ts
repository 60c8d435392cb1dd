/**
 * The Kubernetes half of the sandbox. This is a SIMULATION: API servers that answer coe's requests over real TLS on
 * loopback, with enough controllers that applied objects become ready. Nothing runs in the pods. It is not a second
 * Kubernetes: each behaviour has a contract test that real servers pass too, and where the two differ, the sandbox is
 * wrong.
 */
import { systemClock } from '../../core/time.ts'
import type { Clock } from '../../core/world.ts'
import { createSandboxClock, type SandboxClock } from '../clock.ts'
import { createFaults, type Faults } from '../faults.ts'
import type { FederationApi } from '../karmada/federation-api.ts'
import { karmadaRuntime } from '../karmada/runtime.ts'
import { createLog, type RequestLog } from '../log.ts'
import { kubeconfigText } from './access/kubeconfig-text.ts'
import { type ClusterOptions, type KubeCluster, startCluster } from './cluster.ts'
import { planAddresses } from './network/addresses.ts'
import { quickTimings, type Timings } from './timings.ts'

export interface HostOptions {
  nodes?: number | undefined
  /** False: no default StorageClass, so claims stay pending. */
  defaultStorageClass?: string | false | undefined
  version?: string | undefined
}

export interface KubeSandboxOptions {
  host?: HostOptions | undefined
  /** The number of clusters beside the host: c2, c3, … */
  members?: number | undefined
  memberNodes?: number | undefined
  memberVersion?: string | undefined
  /** Whether Services of type LoadBalancer get an address on the host. */
  loadBalancer?: boolean | undefined
  latencyMs?: number | undefined
  clock?: SandboxClock | undefined
  wireClock?: Clock | undefined
  timings?: Partial<Timings> | undefined
  log?: RequestLog | undefined
  faults?: Faults | undefined
}

export interface KubeSandbox {
  host: KubeCluster
  members: KubeCluster[]
  /** By context name. */
  cluster(name: string): KubeCluster
  /** Adds a cluster outside the kubeconfig, for a simulated Magnum. It can be a member or a host. */
  add(name: string, options?: Pick<ClusterOptions, 'issuer' | 'version'>): Promise<KubeCluster>
  /** Replaces a member with an empty one of the same name and address. */
  remake(name: string): Promise<KubeCluster>
  /** The federation API that runs in this namespace of the host, if any. */
  federation(namespace: string): FederationApi | undefined
  /** All contexts, of cluster admins with client certificates. */
  kubeconfig: string
  log: RequestLog
  faults: Faults
  clock: SandboxClock
  close(): Promise<void>
}

export async function startKubeSandbox(options: KubeSandboxOptions = {}): Promise<KubeSandbox> {
  const wireClock = options.wireClock ?? systemClock
  const clock = options.clock ?? createSandboxClock()
  const log = options.log ?? createLog(wireClock)
  const faults = options.faults ?? createFaults()
  const addresses = await planAddresses()
  const timings = { ...quickTimings, ...options.timings }
  const shared = { clock, wireClock, timings, log, faults, latencyMs: options.latencyMs }
  const engine = karmadaRuntime({ wireClock, log, faults, timings, latencyMs: options.latencyMs })
  let index = 0
  const startMember = (name: string, more: Partial<ClusterOptions> = {}): Promise<KubeCluster> => {
    const n = index++
    const nodes = Array.from({ length: options.memberNodes ?? 2 }, (_, i) => ({
      name: `${name}-${i + 1}`,
      address: `10.${66 + Math.floor(n / 200)}.${n % 200}.${i + 10}`,
    }))
    return startCluster({
      ...shared,
      name,
      at: addresses.apiServer(n),
      nodes,
      defaultStorageClass: 'standard',
      version: options.memberVersion,
      ...more,
    })
  }
  const hostNodes = Array.from({ length: options.host?.nodes ?? 1 }, (_, i) => ({
    name: `host-${i + 1}`,
    address: addresses.node(i),
  }))
  const ableToHost = {
    loadBalancer: options.loadBalancer ? addresses.loadBalancer : undefined,
    runtime: engine.runtime,
  }
  const host = await startCluster({
    ...shared,
    name: 'host',
    at: addresses.apiServer(index++),
    nodes: hostNodes,
    defaultStorageClass: options.host?.defaultStorageClass ?? 'standard',
    version: options.host?.version,
    ...ableToHost,
  })
  let added = hostNodes.length
  const nodeOfHost = (name: string, index: number) => ({ name: `${name}-1`, address: addresses.node(index) })
  const names = Array.from({ length: options.members ?? 2 }, (_, i) => `c${i + 2}`)
  const members = await Promise.all(names.map(name => startMember(name)))
  const clusters = [host, ...members]
  const kubeconfig = kubeconfigText(
    await Promise.all(
      clusters.map(async cluster => ({
        name: cluster.name,
        server: cluster.url,
        caCertificate: cluster.caCertificate,
        credentials: await cluster.clientCertificate(`${cluster.name}-admin`, ['system:masters']),
      })),
    ),
  )
  const byName = (name: string): KubeCluster => {
    const found = clusters.find(cluster => cluster.name === name)
    if (!found) throw new Error(`the sandbox has no cluster ${name}`)
    return found
  }
  return {
    host,
    members,
    cluster: byName,
    federation: namespace => [...engine.federations.apis.values()].find(api => api.namespace === namespace),
    async add(name, more) {
      const cluster = await startMember(name, { ...more, ...ableToHost, nodes: [nodeOfHost(name, added++)] })
      clusters.push(cluster)
      return cluster
    },
    async remake(name) {
      const before = byName(name)
      await before.close()
      const { hostname, port } = new URL(before.url)
      const made = await startMember(name, { at: { host: hostname, port: Number(port) } })
      for (const list of [clusters, members]) if (list.includes(before)) list[list.indexOf(before)] = made
      return made
    },
    kubeconfig,
    log,
    faults,
    clock,
    async close() {
      await Promise.all(clusters.map(cluster => cluster.close()))
      clock.stop()
    },
  }
}
