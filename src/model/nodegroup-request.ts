/** Requests to create and change node groups. */
import type { Change } from './change.ts'
import type { Labels } from './cluster.ts'

/** Keeps pods off Kubernetes nodes. */
export interface Taint {
  key: string
  value?: string
  effect: string
}

/** A new node group. Absent fields come from its cluster. */
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
  /** Labels of its Kubernetes nodes. */
  nodeLabels?: Labels
  nodeTaints?: readonly Taint[]
}

/** The number of nodes is not here: a resize of the cluster changes it. */
export interface NodeGroupFields {
  minNodes?: number
  maxNodes?: number
  /** Replaces all labels; an empty object removes them. */
  nodeLabels?: Labels
  nodeTaints?: readonly Taint[]
}

export type NodeGroupChange = Change<NodeGroupFields>
