/** What a look at a federation finds: its own parts, its members, its certificates. Words and numbers; never an opinion kept. */

import type { NextStep } from '../core/next-step.ts'

export interface ComponentHealth {
  name: string
  ready: boolean
  replicas: { ready: number; wanted: number }
  image?: string
  /** Why not, in the words of the pods and events. */
  reason?: string
}

export interface MemberHealth {
  name: string
  /** Null: the federation cannot tell. */
  ready: boolean | null
  /** Of the condition: `ClusterNotReachable`. */
  reason: string | null
  message: string | null
  /** What to do about it, where that is known. */
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
  /** It is on its way out. */
  leaving: boolean
}

/** Something that the driver made and that is missing, or lacks a part. */
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
  /** Fewer days left than its maker wants. */
  due: boolean
}

export interface FederationHealth {
  components: ComponentHealth[]
  /** A driver leaves it out with `api.reachable` false: nobody could be asked. Then they are as recorded. */
  members?: MemberHealth[]
  certificates: CertificateHealth[]
  /** What was deleted while the pods run on. A driver that does not look leaves it out. */
  objects?: ObjectHealth[]
  api: { server: string | null; reachable: boolean; version?: string; reason?: string }
}
