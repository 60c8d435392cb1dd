/** What is asked of a cluster: to be made, changed, resized, upgraded. No server's field names stand here. */
import type { Change } from './change.ts'
import type { Labels } from './cluster.ts'

/** A new cluster. What is absent comes from the template. */
export interface ClusterRequest {
  name: string
  /** By name or uuid. */
  template: string
  /** Worker nodes. */
  nodeCount?: number
  controlPlaneCount?: number
  /** SSH key pair to put on the nodes. */
  keypair?: string
  flavor?: string
  controlPlaneFlavor?: string
  labels?: Labels
  /** The labels are added to the template's; without this they replace all of them. */
  mergeLabels?: boolean
  /** Volume for containers on each node, in GiB. */
  containerVolumeSize?: number
  network?: string
  subnet?: string
  /** Do nodes get floating addresses? */
  floatingIps?: boolean
  /** Is there a load balancer before the control plane? */
  loadBalancer?: boolean
  /** Where its etcd members find each other. */
  discoveryUrl?: string
  /** How long making it may take, in minutes; 0 is no limit. */
  createTimeout?: number
}

/** What can be asked for of a cluster that stands; each backend refuses what it cannot change. */
export interface ClusterFields {
  name?: string
  nodeCount?: number
  controlPlaneCount?: number
  /** Reported by what looks after the cluster. */
  healthStatus?: string
  healthStatusReason?: Readonly<Record<string, string>>
}

export interface ClusterChange extends Change<ClusterFields> {
  /** What makes it goes back if the change fails. */
  rollback?: boolean
}

export interface ClusterResize {
  nodeCount: number
  /** Servers that go first. */
  nodesToRemove: readonly string[]
  /** The default workers when absent. */
  nodegroup?: string | undefined
}

export interface ClusterUpgrade {
  /** The template to become like, by name or uuid. */
  template: string
  /** So many nodes at a time. */
  maxBatchSize: number
  /** The complete cluster when absent. */
  nodegroup?: string | undefined
}
