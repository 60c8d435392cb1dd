/** How somebody gets into a cluster: what a kubeconfig is written from. */
import type { Cluster } from './cluster.ts'

export interface AccessRequest {
  /** Absent: no certificate is made; the cluster knows its users by other means, such as Keystone. */
  certificate?: {
    /** What Kubernetes will call the holder, and the groups that decide what the holder may do. */
    user: string
    groups: readonly string[]
    /** Somebody said whom it is for. */
    asked?: boolean
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
  /** Of a kubeconfig that leads there already: taken as they are. */
  readonly entries?: KubeconfigEntries
}

export interface KubeconfigEntries {
  readonly cluster: Record<string, unknown>
  readonly user: Record<string, unknown> | undefined
  readonly namespace: string | undefined
  readonly names: { cluster: string; user: string }
  /** The kubeconfig that has them, if it is one that people have. */
  readonly file: string | undefined
}

export interface IssuedCertificate {
  readonly pem: string
  /** PKCS#1, as openstack's client writes it. */
  readonly key: string
  readonly expiresAt: Date
}
