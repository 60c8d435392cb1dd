/** The fields of clusters as they are printed, in upstream's order. */
import { long } from '../../cli/print/columns.ts'
import type { Column } from '../../cli/spec.ts'

const uuid: Column = { name: 'uuid', type: 'string', help: 'identifier of the cluster', nullable: false }
const name: Column = { name: 'name', type: 'string', help: 'name, which need not be unique' }
const keypair: Column = { name: 'keypair', type: 'string', help: 'SSH key pair put on its nodes' }
const nodeCount: Column = {
  name: 'node_count',
  type: 'integer',
  help: 'desired number of worker nodes, over all node groups',
}
const masterCount: Column = { name: 'master_count', type: 'integer', help: 'desired number of control plane nodes' }
const status: Column = { name: 'status', type: 'string', help: 'status, such as CREATE_COMPLETE' }
const statusReason: Column = { name: 'status_reason', type: 'string', help: 'reason for the status' }
const health: Column = {
  name: 'health_status',
  type: 'string',
  help: 'HEALTHY, UNHEALTHY, UNKNOWN, or null when not checked',
}

const template: Column = { name: 'cluster_template_id', type: 'string', help: 'template it was made from' }
const apiAddress: Column = { name: 'api_address', type: 'string', help: 'address of its Kubernetes API' }
const coeVersion: Column = { name: 'coe_version', type: 'string', help: 'version of Kubernetes' }
const projectId: Column = { name: 'project_id', type: 'string', help: 'project it belongs to' }
const createdAt: Column = { name: 'created_at', type: 'string', help: 'when it was created' }

/** Of clusters that were queried (--probe). */
export const probeColumns: readonly Column[] = [
  {
    name: 'member_of',
    type: 'string',
    help: 'with --probe, federation that the cluster is a member of',
    mode: 'standalone',
    extra: true,
  },
  {
    name: 'host_of',
    type: 'array',
    help: 'with --probe, federations that the cluster hosts; null if you have no right to see them',
    mode: 'standalone',
    extra: true,
    text: value => (Array.isArray(value) ? value.join(', ') : value),
  },
]

/** Of contexts. */
export const contextColumns: readonly Column[] = [
  { name: 'credentials', type: 'string', help: 'kind of credentials in the context', mode: 'standalone', extra: true },
  { name: 'namespace', type: 'string', help: 'namespace of the context', mode: 'standalone', extra: true },
  { name: 'kubeconfig', type: 'string', help: 'file that the context is in', mode: 'standalone', extra: true },
  { name: 'current', type: 'boolean', help: 'whether it is the current context', mode: 'standalone', extra: true },
  { name: 'federation', type: 'string', help: 'federation that the context leads to', mode: 'standalone', extra: true },
]

export const clusterListColumns: readonly Column[] = [
  uuid,
  name,
  keypair,
  nodeCount,
  masterCount,
  status,
  health,
  ...[template, apiAddress, coeVersion, projectId, createdAt].map(long),
  ...probeColumns,
  {
    ...statusReason,
    help: 'with --probe, why a cluster did not answer, or what you have no right to see',
    mode: 'standalone',
    extra: true,
  },
]

export const clusterShowColumns: readonly Column[] = [
  status,
  health,
  template,
  { name: 'node_addresses', type: 'array', help: 'addresses of the worker nodes' },
  uuid,
  { name: 'stack_id', type: 'string', help: 'Heat stack behind it (before microversion 1.13)' },
  statusReason,
  createdAt,
  { name: 'updated_at', type: 'string', help: 'when it last changed' },
  coeVersion,
  { name: 'labels', type: 'object', help: 'labels in force' },
  { name: 'labels_overridden', type: 'object', help: 'labels of the template that the cluster replaces' },
  { name: 'labels_skipped', type: 'object', help: 'labels of the template that the cluster leaves out' },
  { name: 'labels_added', type: 'object', help: 'labels that the template does not have' },
  { name: 'fixed_network', type: 'string', help: 'private network of the nodes' },
  { name: 'fixed_subnet', type: 'string', help: 'private subnet of the nodes' },
  { name: 'floating_ip_enabled', type: 'boolean', help: 'whether nodes get floating addresses' },
  { name: 'faults', type: 'object', help: 'what failed, by node group' },
  keypair,
  apiAddress,
  { name: 'master_addresses', type: 'array', help: 'addresses of the control plane nodes' },
  { name: 'master_lb_enabled', type: 'boolean', help: 'whether a load balancer is in front of the control plane' },
  { name: 'create_timeout', type: 'integer', help: 'time limit for the creation, in minutes' },
  nodeCount,
  { name: 'discovery_url', type: 'string', help: 'address where its etcd members find each other' },
  { name: 'docker_volume_size', type: 'integer', help: 'GiB for containers on each node' },
  masterCount,
  { name: 'container_version', type: 'string', help: 'version of the container runtime' },
  name,
  { name: 'master_flavor_id', type: 'string', help: 'flavor of the control plane nodes' },
  { name: 'flavor_id', type: 'string', help: 'flavor of the worker nodes' },
  { name: 'health_status_reason', type: 'object', help: 'what the health status is based on' },
  projectId,
]
