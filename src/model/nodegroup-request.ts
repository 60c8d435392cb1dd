/** What is asked of a node group: to be made, or changed. */
import type { Change } from './change.ts'
import type { Labels } from './cluster.ts'

/** Keeps pods off Kubernetes nodes. */
export interface Taint {
  key: string
  value?: string
  effect: string
}

/** A new node group. What is absent comes from its cluster. */
export interface NodeGroupRequest {
  name: string
  nodeCount?: number
  minNodes?: number
  maxNodes?: number
  role?: string
  flavor?: string
  image?: string
  /** Volume for containers on each node, in GiB. */
  containerVolumeSize?: number
  labels?: Labels
  /** The labels are added to the cluster's; without this they replace all of them. */
  mergeLabels?: boolean
  /** Of its Kubernetes nodes. */
  nodeLabels?: Labels
  nodeTaints?: readonly Taint[]
}

/** Its number of nodes is changed by a resize of the cluster. */
export interface NodeGroupFields {
  minNodes?: number
  maxNodes?: number
  /** All of them: none when empty. */
  nodeLabels?: Labels
  nodeTaints?: readonly Taint[]
}

export type NodeGroupChange = Change<NodeGroupFields>
