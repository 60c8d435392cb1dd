/** Clusters, their templates and node groups. Both modes use Magnum's field names. */

export type Labels = Record<string, string>

export interface Cluster {
  uuid: string
  name: string
  status: string | null
  status_reason?: string | null
  health_status?: string | null
  health_status_reason?: Record<string, unknown> | null
  cluster_template_id?: string | null
  keypair?: string | null
  node_count?: number | null
  master_count?: number | null
  labels?: Labels | null
  labels_overridden?: Labels | null
  labels_added?: Labels | null
  labels_skipped?: Labels | null
  api_address?: string | null
  node_addresses?: string[] | null
  master_addresses?: string[] | null
  coe_version?: string | null
  container_version?: string | null
  /** Until microversion 1.13. */
  stack_id?: string | null
  /** From microversion 1.13, in place of stack_id. */
  cluster_id?: string | null
  faults?: Record<string, string> | null
  project_id?: string | null
  user_id?: string | null
  created_at?: string | null
  updated_at?: string | null
  [field: string]: unknown
}

export interface ClusterTemplate {
  uuid: string
  name: string
  coe?: string | null
  image_id?: string | null
  labels?: Labels | null
  tls_disabled?: boolean | null
  tags?: string | null
  [field: string]: unknown
}

export interface NodeGroup {
  uuid: string
  name: string
  role?: string | null
  node_count?: number | null
  min_node_count?: number | null
  max_node_count?: number | null
  status?: string | null
  status_reason?: string | null
  is_default?: boolean | null
  [field: string]: unknown
}
