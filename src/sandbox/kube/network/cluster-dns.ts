import type { ControlPlane } from '../control-plane.ts'
import { podIsReady } from '../controllers/pods.ts'
import { podsOf } from '../controllers/services.ts'
import type { Json, KubeObject } from '../object.ts'
import type { PodNetwork, SocketAddress } from './pod-network.ts'

/** The socket that a name and port lead to inside a cluster, or the error of a resolver or kernel. */
export type Resolution = { at: SocketAddress; pod: KubeObject } | { error: string }

const refused = (host: string, port: number): Resolution => ({
  error: `dial tcp ${host}:${port}: connect: connection refused`,
})
const unknown = (host: string): Resolution => ({ error: `dial tcp: lookup ${host} on 10.96.0.10:53: no such host` })

/** Completes a name like a pod's resolver: with the pod's own namespace, then with the cluster's domain. */
function searched(plane: ControlPlane, host: string, namespace: string | undefined): string[] {
  const candidates = [host, ...(namespace ? [`${host}.${namespace}.svc`] : []), `${host}.svc`]
  const names = candidates.map(name => name.split('.'))
  const known = (parts: string[]) => {
    const svc = parts.indexOf('svc')
    return svc >= 2 && plane.store.get('services', parts[svc - 1], parts[svc - 2] as string) !== undefined
  }
  return names.find(known) ?? (names[0] as string[])
}

/**
 * `web.default.svc.cluster.local`, `db-0.db.default.svc`, a cluster IP, a node's address with a node port; in a pod of
 * namespace `from` also `web` and `web.default`.
 */
export function resolveInCluster(
  plane: ControlPlane,
  network: PodNetwork,
  host: string,
  port: number,
  from?: string,
): Resolution {
  const parts = searched(plane, host, from)
  const svc = parts.indexOf('svc')
  if (svc === 2 || svc === 3) {
    const name = parts[svc - 2] as string
    const service = plane.store.get('services', parts[svc - 1], name)
    if (!service) return unknown(host)
    if (service.spec.type === 'ExternalName') return resolveInCluster(plane, network, service.spec.externalName, port)
    const member = svc === 3 ? parts[0] : undefined
    return throughService(plane, network, service, port, host, member)
  }
  for (const service of plane.store.list('services')) {
    const ports: Json[] = service.spec.ports ?? []
    const balancer = (service.status?.loadBalancer?.ingress ?? []).some((i: Json) => i.ip === host)
    if (service.spec.clusterIP === host || balancer) return throughService(plane, network, service, port, host)
    const node = ports.find(p => p.nodePort === port)
    if (node && isNode(plane, host)) return throughService(plane, network, service, node.port, host)
  }
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) ? refused(host, port) : unknown(host)
}

const isNode = (plane: ControlPlane, host: string) =>
  plane.store.list('nodes').some(node => (node.status?.addresses ?? []).some((a: Json) => a.address === host))

function throughService(
  plane: ControlPlane,
  network: PodNetwork,
  service: KubeObject,
  port: number,
  host: string,
  member?: string,
): Resolution {
  const headless = service.spec.clusterIP === 'None'
  const ports: Json[] = service.spec.ports ?? []
  const entry = ports.find(p => p.port === port)
  if (!entry && !headless) return refused(host, port)
  const early = service.spec.publishNotReadyAddresses === true
  const pods = podsOf(plane, service).filter(
    pod =>
      (early || podIsReady(pod)) &&
      (member === undefined || pod.spec.hostname === member || pod.metadata.name === member),
  )
  if (pods.length === 0) return headless ? unknown(host) : refused(host, port)
  for (const pod of pods) {
    const target = headless ? port : targetPort(entry, pod)
    const at = network.addressOf(pod, target)
    if (at) return { at, pod }
  }
  return refused(host, port)
}

export function targetPort(entry: Json, pod: KubeObject): number {
  if (typeof entry.targetPort === 'number') return entry.targetPort
  for (const container of pod.spec.containers) {
    for (const port of container.ports ?? []) if (port.name === entry.targetPort) return port.containerPort
  }
  return entry.port
}
