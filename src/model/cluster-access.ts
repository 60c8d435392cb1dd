/** Access to a cluster: what a kubeconfig is written from. */
import type { Cluster } from './cluster.ts'

export interface AccessRequest {
  /** Absent: no certificate is made; users log in by other means, such as Keystone. */
  certificate?: {
    /** The user's name in Kubernetes, and the groups that give the user rights. */
    user: string
    groups: readonly string[]
    /** True if the command line names the user or groups. */
    asked?: boolean
  }
  /** The cluster's CA (PEM), for users who may not read it from Magnum. */
  ca?: string | undefined
}

export interface ClusterAccess {
  readonly cluster: Cluster
  /** What runs on it: `kubernetes`, on old clouds also `swarm`; undefined where its template cannot be read. */
  readonly coe: string | undefined
  readonly server: string
  /** Absent when the API is served without TLS. */
  readonly ca?: string
  readonly certificate?: IssuedCertificate
  /** Entries of a kubeconfig that has this cluster already, copied unchanged. */
  readonly entries?: KubeconfigEntries
}

export interface KubeconfigEntries {
  readonly cluster: Record<string, unknown>
  readonly user: Record<string, unknown> | undefined
  readonly namespace: string | undefined
  readonly names: { cluster: string; user: string }
  /** The kubeconfig that has them, if it is a file of the user. */
  readonly file: string | undefined
}

export interface IssuedCertificate {
  readonly pem: string
  /** PKCS#1, as openstack's client writes it. */
  readonly key: string
  readonly expiresAt: Date
}
