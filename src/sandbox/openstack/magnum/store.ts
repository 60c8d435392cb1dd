import type { Issuer } from '../../../pki/certificates.ts'

/** Magnum's database, with its own field names. Times are milliseconds; answers show them as text. */

export type Labels = Record<string, string>

interface Row {
  /** Increasing; the order of lists, and the marker of quotas. */
  id: number
  created_at: number
  updated_at: number | null
}

export interface Template extends Row {
  uuid: string
  name: string
  project_id: string
  user_id: string
  coe: string
  image_id: string
  flavor_id: string | null
  master_flavor_id: string | null
  dns_nameserver: string | null
  keypair_id: string | null
  external_network_id: string | null
  fixed_network: string | null
  fixed_subnet: string | null
  network_driver: string | null
  apiserver_port: number | null
  docker_volume_size: number | null
  cluster_distro: string | null
  http_proxy: string | null
  https_proxy: string | null
  no_proxy: string | null
  volume_driver: string | null
  registry_enabled: boolean
  labels: Labels | null
  tls_disabled: boolean
  public: boolean
  server_type: string
  insecure_registry: string | null
  docker_storage_driver: string | null
  master_lb_enabled: boolean
  floating_ip_enabled: boolean
  hidden: boolean
  tags: string | null
  driver: string | null
}

export interface Nodegroup extends Row {
  uuid: string
  name: string
  cluster_id: string
  project_id: string
  docker_volume_size: number | null
  labels: Labels
  flavor_id: string | null
  image_id: string | null
  node_addresses: string[]
  node_count: number
  role: string
  min_node_count: number
  max_node_count: number | null
  is_default: boolean
  stack_id: string | null
  status: string
  status_reason: string | null
  version: string | null
  node_labels: Labels | null
  node_taints: unknown[] | null
}

export interface Cluster extends Row {
  uuid: string
  name: string
  project_id: string
  user_id: string
  cluster_template_id: string
  keypair: string | null
  docker_volume_size: number | null
  labels: Labels
  master_flavor_id: string | null
  flavor_id: string | null
  create_timeout: number
  stack_id: string | null
  status: string
  status_reason: string | null
  health_status: string | null
  health_status_reason: Record<string, unknown>
  discovery_url: string | null
  api_address: string | null
  coe_version: string | null
  container_version: string | null
  fixed_network: string | null
  fixed_subnet: string | null
  floating_ip_enabled: boolean
  master_lb_enabled: boolean
  faults: Record<string, string>
  nodegroups: Nodegroup[]
  /** Several node groups may be in creation at once: the cluster is complete after the last. */
  updatesUnderWay: number
  /** By certificate type; made on first use. */
  authorities: Map<string, Promise<Issuer>>
}

export interface Quota extends Row {
  project_id: string
  resource: string
  hard_limit: number
}

export interface Federation extends Row {
  uuid: string
  name: string
  project_id: string
  hostcluster_id: string
  /** Null after a remove without a value: all members dropped. */
  member_ids: string[] | null
  status: string | null
  status_reason: string | null
  properties: Record<string, string>
}

export interface Store {
  templates: Map<string, Template>
  clusters: Map<string, Cluster>
  federations: Map<string, Federation>
  quotas: Quota[]
  nextId(): number
}

export function createStore(): Store {
  let id = 0
  return { templates: new Map(), clusters: new Map(), federations: new Map(), quotas: [], nextId: () => ++id }
}

/** The database has microseconds; our clock does not. */
export const timestamp = (ms: number | null): string | null =>
  ms === null ? null : `${new Date(ms).toISOString().slice(0, -1)}000+00:00`
