import type { KubeObject } from '../kube/object.ts'
import type { Store } from '../kube/store.ts'
import type { FederationApi } from './federation-api.ts'

/** An etcd process that answers. */
export interface EtcdMember {
  pod: KubeObject
  cluster: string
  store: Store
  serverCertificate: string
  /** Clients must show a certificate of this CA. */
  clientCa: string | undefined
  /** What it shows to the other members, and whom of them it believes; as it read them when it started. */
  peer: { certificate: string | undefined; ca: string | undefined }
}

/** A webhook or aggregated API server that answers, behind TLS. */
export interface TlsServer {
  certificate: string
  kind: 'webhook' | 'aggregated'
}

/** What runs on one host: the parts that know of each other through the cluster's network, by the uid of their pods. */
export interface Federations {
  etcds: Map<string, EtcdMember>
  /** What lies on volumes, and outlives the processes. */
  disks: Map<string, Store>
  servers: Map<string, TlsServer>
  /** One for each etcd with an API server before it. */
  apis: Map<Store, FederationApi>
}

export const createFederations = (): Federations => ({
  etcds: new Map(),
  disks: new Map(),
  servers: new Map(),
  apis: new Map(),
})
