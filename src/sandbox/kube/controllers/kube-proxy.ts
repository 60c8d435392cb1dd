import { connect, createServer, type Server, type Socket } from 'node:net'
import { targetPort } from '../network/cluster-dns.ts'
import type { PodNetwork, SocketAddress } from '../network/pod-network.ts'
import type { Json } from '../object.ts'
import { isTurnedOff } from '../seed.ts'
import type { Controller } from './host.ts'
import { podIsReady } from './pods.ts'
import { podsOf } from './services.ts'

interface Forward {
  server: Server
  sockets: Set<Socket>
  targets: SocketAddress[]
}

/**
 * Opens real sockets for node ports and load balancers, so that a client on this machine reaches what "runs" in the
 * pods. A port without a ready pod is closed and refuses connections, as in a real cluster.
 */
export const kubeProxy =
  (network: PodNetwork): Controller =>
  ({ plane, watch, queue, onStop }) => {
    const forwards = new Map<string, Forward>()
    const wantedAt = (): Map<string, SocketAddress[]> => {
      const wanted = new Map<string, SocketAddress[]>()
      const nodes = plane.store
        .list('nodes')
        .filter(node => !isTurnedOff(node))
        .flatMap(n => n.status?.addresses ?? [])
        .filter((a: Json) => a.type === 'InternalIP')
      for (const service of plane.store.list('services')) {
        if (!['NodePort', 'LoadBalancer'].includes(service.spec.type)) continue
        const pods = podsOf(plane, service).filter(podIsReady)
        for (const entry of service.spec.ports ?? []) {
          const targets = pods.flatMap(pod => network.addressOf(pod, targetPort(entry, pod)) ?? [])
          if (targets.length === 0) continue
          for (const node of nodes) if (entry.nodePort) wanted.set(`${node.address}:${entry.nodePort}`, targets)
          for (const ingress of service.status?.loadBalancer?.ingress ?? []) {
            if (ingress.ip) wanted.set(`${ingress.ip}:${entry.port}`, targets)
          }
        }
      }
      return wanted
    }
    const enqueue = queue(() => {
      const wanted = wantedAt()
      for (const [key, forward] of forwards) if (!wanted.has(key)) shut(key, forward)
      for (const [key, targets] of wanted) {
        const forward = forwards.get(key)
        if (forward) forward.targets = targets
        else forwards.set(key, openForward(key, targets))
      }
    })
    function shut(key: string, { server, sockets }: Forward): void {
      forwards.delete(key)
      server.close()
      for (const socket of sockets) socket.destroy()
    }
    const schedule = () => enqueue('all', 0)
    watch(['services', 'nodes'], schedule)
    watch('pods', ({ object, previous }) => {
      if (!previous || podIsReady(object) !== podIsReady(previous)) schedule()
    })
    onStop(network.onChange(schedule))
    onStop(() => {
      for (const [key, forward] of forwards) shut(key, forward)
    })
  }

function openForward(key: string, targets: SocketAddress[]): Forward {
  const colon = key.lastIndexOf(':')
  const sockets = new Set<Socket>()
  const forward: Forward = { server: createServer(), sockets, targets }
  let turn = 0
  forward.server.on('connection', client => {
    const target = forward.targets[turn++ % forward.targets.length] as SocketAddress
    const upstream = connect(target.port, target.host)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.pipe(upstream)
    upstream.pipe(client)
  })
  forward.server.on('error', () => {}) // another program has the port: the client reaches that program, as on a real node
  forward.server.listen(Number(key.slice(colon + 1)), key.slice(0, colon))
  return forward
}
