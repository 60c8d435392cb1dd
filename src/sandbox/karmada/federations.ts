import type { KubeObject } from '../kube/object.ts'
import type { Store } from '../kube/store.ts'
import type { FederationApi } from './federation-api.ts'

/** A running etcd process. */
export interface EtcdMember {
  pod: KubeObject
  cluster: string
  store: Store
  serverCertificate: string
  /** Clients must show a certificate by this CA. */
  clientCa: string | undefined
  /** The certificate for other members and the CA to trust them by, as read at the start. */
  peer: { certificate: string | undefined; ca: string | undefined }
}

/** A running webhook or aggregated API server, behind TLS. */
export interface TlsServer {
  certificate: string
  kind: 'webhook' | 'aggregated'
}

/** The processes on one host, which find each other through the cluster's network; by the uid of their pods. */
export interface Federations {
  etcds: Map<string, EtcdMember>
  /** The data on volumes, which outlives the processes. */
  disks: Map<string, Store>
  servers: Map<string, TlsServer>
  /** One for each etcd that has an API server. */
  apis: Map<Store, FederationApi>
}

export const createFederations = (): Federations => ({
  etcds: new Map(),
  disks: new Map(),
  servers: new Map(),
  apis: new Map(),
})
