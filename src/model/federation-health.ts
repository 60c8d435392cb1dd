/** The health of a federation: its components, members and certificates, as found by a check. */

import type { NextStep } from '../core/next-step.ts'

export interface ComponentHealth {
  name: string
  ready: boolean
  replicas: { ready: number; wanted: number }
  image?: string
  /** Why it is not ready, from its pods and events. */
  reason?: string
}

export interface MemberHealth {
  name: string
  /** Null: the federation does not know. */
  ready: boolean | null
  /** The condition's reason: `ClusterNotReachable`. */
  reason: string | null
  message: string | null
  /** What to do about it, if that is known. */
  hint?: string
  next?: readonly NextStep[]
  version: string | null
  nodes: { ready: number; total: number } | null
  /** The address that the federation uses. */
  server: string | null
  /** The UID of its kube-system namespace: which cluster it is. */
  cluster_uid: string | null
  region: string | null
  zones: string[]
  provider: string | null
  labels: Record<string, string>
  joined_at: string | null
  /** It is being removed from the federation. */
  leaving: boolean
}

/** An object of the driver that is missing or incomplete. */
export interface ObjectHealth {
  /** `Secret karmada-webhook` */
  name: string
  healthy: boolean
  reason: string
  /** What to do about it. */
  hint?: string
  next?: readonly NextStep[]
}

export interface CertificateHealth {
  /** `etcd/tls.crt` */
  name: string
  not_after: string
  days_left: number
  /** Due for renewal, by the driver's limit. */
  due: boolean
}

export interface FederationHealth {
  components: ComponentHealth[]
  /** Absent when `api.reachable` is false: coe then shows the members on record. */
  members?: MemberHealth[]
  certificates: CertificateHealth[]
  /** Objects that were deleted while the pods run on. Absent if the driver does not check them. */
  objects?: ObjectHealth[]
  api: { server: string | null; reachable: boolean; version?: string; reason?: string }
}
