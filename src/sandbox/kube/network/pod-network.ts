import type { KubeObject } from '../object.ts'

export interface SocketAddress {
  host: string
  port: number
}

/** The sockets that simulate ports of pods. Only pods with a simulated program have any. */
export interface PodNetwork {
  open(podUid: string, port: number, at: SocketAddress): void
  close(podUid: string): void
  addressOf(pod: KubeObject, port: number): SocketAddress | undefined
  /** Called whenever a port opens or closes. */
  onChange(listener: () => void): () => void
}

export function createPodNetwork(): PodNetwork {
  const sockets = new Map<string, Map<number, SocketAddress>>()
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of [...listeners]) listener()
  }
  return {
    open(uid, port, at) {
      sockets.set(uid, (sockets.get(uid) ?? new Map()).set(port, at))
      tell()
    },
    close(uid) {
      if (sockets.delete(uid)) tell()
    },
    addressOf: (pod, port) => sockets.get(pod.metadata.uid as string)?.get(port),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
