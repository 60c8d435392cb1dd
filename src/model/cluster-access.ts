/** How somebody gets into a cluster: what a kubeconfig is written from. */
import type { Cluster } from './cluster.ts'

export interface AccessRequest {
  /** Absent: no certificate is made; the cluster knows its users by other means, such as Keystone. */
  certificate?: {
    /** What Kubernetes will call the holder, and the groups that decide what the holder may do. */
    user: string
    groups: readonly string[]
  }
  /** PEM text of the cluster's CA, for those whom Magnum does not tell it. */
  ca?: string | undefined
}

export interface ClusterAccess {
  readonly cluster: Cluster
  /** What runs on it: `kubernetes`, on old clouds also `swarm`; undefined where its template cannot be seen. */
  readonly coe: string | undefined
  readonly server: string
  /** Absent when the API is served without TLS. */
  readonly ca?: string
  readonly certificate?: IssuedCertificate
}

export interface IssuedCertificate {
  readonly pem: string
  /** PKCS#1, as openstack's client writes it. */
  readonly key: string
  readonly expiresAt: Date
}
