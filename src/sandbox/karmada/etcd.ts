import type { ControlPlane } from '../kube/control-plane.ts'
import { hostPathProvisioner } from '../kube/controllers/volumes.ts'
import { resolveInCluster } from '../kube/network/cluster-dns.ts'
import type { Json, KubeObject } from '../kube/object.ts'
import { createStore, type Store } from '../kube/store.ts'
import type { EtcdMember } from './federations.ts'
import { volumeKey } from './pod-files.ts'
import { NotYet, type ProcessContext, type Program } from './process.ts'
import { chainProblem, pairProblem } from './trust.ts'

/** The data is on the volume of --data-dir, and outlives the pod if that is a claim. */
export const etcd: Program = async context => {
  const { plane, network, federations, view, uid, namespace } = context
  const certificate = view.fileOf('cert-file')
  const key = view.fileOf('key-file')
  if (!certificate || !key) throw new Error('etcd: --cert-file and --key-file are required by what connects to it')
  const problem = pairProblem(certificate, key)
  if (problem) throw new Error(`failed to start etcd: ${problem}`)
  const clientCa = view.fileOf('trusted-ca-file')
  const owner = view.pod.metadata.ownerReferences?.[0]?.name ?? view.pod.metadata.name
  const cluster = `${namespace}/${owner}`
  const members = initialCluster(view.flag('initial-cluster') ?? '')
  const peerCertificate = view.fileOf('peer-cert-file')
  const peerKey = view.fileOf('peer-key-file')
  const peerProblem = peerCertificate && peerKey ? pairProblem(peerCertificate, peerKey) : undefined
  if (peerProblem) throw new Error(`failed to start etcd: peer ${peerProblem}`)

  const user = view.pod.spec.securityContext?.runAsUser
  if (user && isRoots(plane, view.pod)) {
    throw new Error(`failed to list data directory: open ${view.flag('data-dir')}: permission denied`)
  }
  const disk = volumeKey(plane, view.pod, view.flag('data-dir') ?? '/')
  const running = [...federations.etcds.values()].find(member => member.cluster === cluster)
  const store: Store = federations.disks.get(disk) ?? running?.store ?? createStore()
  federations.disks.set(disk, store)
  const peer = { certificate: peerCertificate, ca: view.fileOf('peer-trusted-ca-file') }
  federations.etcds.set(uid, { pod: view.pod, cluster, store, serverCertificate: certificate, clientCa, peer })
  for (const port of [2379, 2380]) network.open(uid, port, { host: 'etcd', port })

  const reachable = () =>
    members.filter(({ name, url }) => name === view.pod.metadata.name || peerAnswers(context, url, peer)).length
  const quorum = () => {
    const needed = Math.floor(Math.max(1, members.length) / 2) + 1
    return members.length <= 1 || reachable() >= needed
  }
  return {
    ready: quorum,
    stop() {
      federations.etcds.delete(uid)
      network.close(uid)
      if (disk.startsWith('pod ')) federations.disks.delete(disk)
    },
  }
}

/** Whether the volume of this pod belongs to root. */
function isRoots({ store }: ControlPlane, pod: KubeObject): boolean {
  const claims = (pod.spec.volumes ?? []).flatMap((volume: Json) => volume.persistentVolumeClaim?.claimName ?? [])
  return claims.some((name: string) => {
    const claim = store.get('persistentvolumeclaims', pod.metadata.namespace, name)
    const volume = store.get('persistentvolumes', undefined, claim?.spec.volumeName ?? '')
    return volume?.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] === hostPathProvisioner
  })
}

function peerAnswers(
  { plane, network, federations, namespace }: ProcessContext,
  url: URL,
  own: EtcdMember['peer'],
): boolean {
  const found = resolveInCluster(plane, network, url.hostname, Number(url.port || 2380), namespace)
  const other = 'at' in found ? federations.etcds.get(found.pod.metadata.uid as string) : undefined
  return other !== undefined && believes(own, other.peer, plane.wallNow()) && believes(other.peer, own, plane.wallNow())
}

/** Whether a member trusts another. Without TLS between them there is nothing to check. */
const believes = ({ ca }: EtcdMember['peer'], { certificate }: EtcdMember['peer'], now: number): boolean =>
  ca === undefined || (certificate !== undefined && chainProblem(certificate, ca, 'client', now) === undefined)

const initialCluster = (text: string): { name: string; url: URL }[] =>
  text
    .split(',')
    .filter(part => part.includes('='))
    .map(part => ({ name: part.slice(0, part.indexOf('=')), url: new URL(part.slice(part.indexOf('=') + 1)) }))

/** The current data of this federation's etcd, which may have been replaced since its clients connected. */
export const etcdOf = ({ federations, namespace }: ProcessContext): Store | undefined =>
  [...federations.etcds.values()].find(member => member.cluster.startsWith(`${namespace}/`))?.store

/** Connects to etcd as a client with these --etcd-* flags. */
export function connectEtcd({ plane, network, federations, view, namespace, timings }: ProcessContext): Store {
  const servers = view.flags('etcd-servers')
  const authority = view.fileOf('etcd-cafile')
  const certificate = view.fileOf('etcd-certfile')
  const key = view.fileOf('etcd-keyfile')
  if (servers.length === 0 || !authority || !certificate || !key) throw new Error('--etcd-servers must be specified')
  const pair = pairProblem(certificate, key)
  if (pair) throw new Error(`etcd client: ${pair}`)
  let why = ''
  for (const server of servers) {
    const url = new URL(server)
    const found = resolveInCluster(plane, network, url.hostname, Number(url.port || 2379), namespace)
    if ('error' in found) {
      why = found.error
      continue
    }
    const member = federations.etcds.get(found.pod.metadata.uid as string)
    if (!member) continue
    const now = plane.wallNow()
    const refused = chainProblem(member.serverCertificate, authority, 'server', now, url.hostname)
    if (refused)
      throw new Error(
        `grpc: addrConn.createTransport failed to connect to {Addr: "${url.host}"}. Err: connection error: desc = "transport: authentication handshake failed: ${refused}"`,
      )
    if (member.clientCa && chainProblem(certificate, member.clientCa, 'client', now)) {
      throw new Error(
        `grpc: addrConn.createTransport failed to connect to {Addr: "${url.host}"}. Err: remote error: tls: bad certificate`,
      )
    }
    return member.store
  }
  throw new NotYet(`failed to create storage backend: context deadline exceeded (${why})`, timings.etcdPatience)
}
