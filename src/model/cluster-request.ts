/** Requests to create, change, resize and upgrade clusters. The field names are not those of any server. */
import type { Change } from './change.ts'
import type { Labels } from './cluster.ts'

/** A new cluster. Absent fields come from the template. */
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
  /** URL through which its etcd members find each other. */
  discoveryUrl?: string
  /** Time limit for its creation in minutes; 0 is no limit. */
  createTimeout?: number
}

/** Fields of an existing cluster that can be changed; each backend refuses what it cannot change. */
export interface ClusterFields {
  name?: string
  nodeCount?: number
  controlPlaneCount?: number
  /** Reported by the tool that monitors the cluster. */
  healthStatus?: string
  healthStatusReason?: Readonly<Record<string, string>>
}

export interface ClusterChange extends Change<ClusterFields> {
  /** Roll the change back if it fails. */
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
  /** The template to upgrade to, by name or uuid. */
  template: string
  /** Number of nodes to upgrade at a time. */
  maxBatchSize: number
  /** The complete cluster when absent. */
  nodegroup?: string | undefined
}
