import type { Call } from './context.ts'
import {
  type Cluster,
  type Federation,
  type Labels,
  type Nodegroup,
  type Quota,
  type Template,
  timestamp,
} from './store.ts'

/** The rows in answers: their attributes and order in each release. */

export const links = (call: Call, path: string): object[] => [
  { href: `${call.request.origin}/v1/${path}`, rel: 'self' },
  { href: `${call.request.origin}/${path}`, rel: 'bookmark' },
]

/** The view without attributes of later releases. */
function known(call: Call, view: Record<string, unknown>, gates: Record<string, number>): object {
  for (const [name, since] of Object.entries(gates)) if (call.state.release.number < since) delete view[name]
  return view
}

export function templateView(call: Call, row: Template): object {
  const { id, driver, created_at, updated_at, project_id, user_id, hidden, tags, ...rest } = row
  const { uuid, name, coe, image_id, flavor_id, master_flavor_id, dns_nameserver, keypair_id, external_network_id } =
    rest
  return known(
    call,
    {
      uuid,
      name,
      coe,
      image_id,
      flavor_id,
      master_flavor_id,
      dns_nameserver,
      keypair_id,
      external_network_id,
      fixed_network: rest.fixed_network,
      fixed_subnet: rest.fixed_subnet,
      network_driver: rest.network_driver,
      apiserver_port: rest.apiserver_port,
      docker_volume_size: rest.docker_volume_size,
      cluster_distro: rest.cluster_distro,
      links: links(call, `clustertemplates/${uuid}`),
      http_proxy: rest.http_proxy,
      https_proxy: rest.https_proxy,
      no_proxy: rest.no_proxy,
      volume_driver: rest.volume_driver,
      registry_enabled: rest.registry_enabled,
      labels: rest.labels,
      tls_disabled: rest.tls_disabled,
      public: rest.public,
      server_type: rest.server_type,
      insecure_registry: rest.insecure_registry,
      docker_storage_driver: rest.docker_storage_driver,
      master_lb_enabled: rest.master_lb_enabled,
      floating_ip_enabled: rest.floating_ip_enabled,
      project_id,
      user_id,
      hidden,
      tags,
      driver,
      created_at: timestamp(created_at),
      updated_at: timestamp(updated_at),
    },
    { hidden: 8, tags: 12, driver: 20 },
  )
}

const clusterGates = {
  health_status: 8,
  health_status_reason: 8,
  fixed_network: 9,
  fixed_subnet: 9,
  floating_ip_enabled: 9,
  merge_labels: 11,
  labels_overridden: 11,
  labels_added: 11,
  labels_skipped: 11,
  master_lb_enabled: 11,
}

/** A cluster in a list. Since 1.13 the stack has another name. */
export function clusterRow(call: Call, row: Cluster): Record<string, unknown> {
  const count = (role: 'master' | 'worker') =>
    row.nodegroups.reduce(
      (sum, { role: is, node_count }) => sum + ((is === 'master') === (role === 'master') ? node_count : 0),
      0,
    )
  const view: Record<string, unknown> = {
    uuid: row.uuid,
    name: row.name,
    cluster_template_id: row.cluster_template_id,
    keypair: row.keypair,
    node_count: count('worker'),
    master_count: count('master'),
    docker_volume_size: row.docker_volume_size,
    labels: row.labels,
    master_flavor_id: row.master_flavor_id,
    flavor_id: row.flavor_id,
    create_timeout: row.create_timeout,
    links: links(call, `clusters/${row.uuid}`),
    [call.minor >= 13 ? 'cluster_id' : 'stack_id']: row.stack_id,
    status: row.status,
    health_status: row.health_status,
    merge_labels: false,
  }
  return known(call, view, clusterGates) as Record<string, unknown>
}

/** The complete cluster. `faults` only after a failure, and never in lists. */
export function clusterView(call: Call, row: Cluster, withFaults: boolean): object {
  const { status, health_status, merge_labels, ...short } = clusterRow(call, row)
  const template = call.state.store.templates.get(row.cluster_template_id)
  const addresses = (master: boolean) =>
    row.nodegroups.filter(group => (group.role === 'master') === master).flatMap(group => group.node_addresses)
  const faults = withFaults && String(row.status).endsWith('_FAILED') ? { faults: row.faults } : {}
  return known(
    call,
    {
      ...short,
      status,
      status_reason: row.status_reason,
      health_status,
      health_status_reason: row.health_status_reason,
      discovery_url: row.discovery_url,
      api_address: row.api_address,
      coe_version: row.coe_version,
      container_version: row.container_version,
      project_id: row.project_id,
      user_id: row.user_id,
      node_addresses: addresses(false),
      master_addresses: addresses(true),
      ...faults,
      fixed_network: row.fixed_network,
      fixed_subnet: row.fixed_subnet,
      floating_ip_enabled: row.floating_ip_enabled,
      merge_labels,
      ...labelDifferences(row.labels, template?.labels ?? {}),
      master_lb_enabled: row.master_lb_enabled,
      created_at: timestamp(row.created_at),
      updated_at: timestamp(row.updated_at),
    },
    clusterGates,
  )
}

/** The differences between labels and the parent's: between cluster and template, or node group and cluster. */
function labelDifferences(own: Labels, parent: Labels): object {
  const labels_overridden: Labels = {}
  const labels_added: Labels = {}
  const labels_skipped: Labels = {}
  for (const [key, value] of Object.entries(parent)) {
    if (!(key in own)) labels_skipped[key] = value
    else if (own[key] !== value) labels_overridden[key] = value
  }
  for (const [key, value] of Object.entries(own)) if (!(key in parent)) labels_added[key] = value
  return { labels_overridden, labels_added, labels_skipped }
}

/** The bounds in a list are wrong: Magnum shows defaults for attributes that lists omit. */
export const nodegroupRow = (group: Nodegroup): object => ({
  uuid: group.uuid,
  name: group.name,
  flavor_id: group.flavor_id,
  image_id: group.image_id,
  node_count: group.node_count,
  role: group.role,
  min_node_count: 0,
  max_node_count: null,
  is_default: group.is_default,
  stack_id: group.stack_id,
  status: group.status,
  merge_labels: false,
})

export function nodegroupView(call: Call, group: Nodegroup, cluster: Cluster): Record<string, unknown> {
  const view = {
    id: group.id,
    uuid: group.uuid,
    name: group.name,
    cluster_id: group.cluster_id,
    project_id: group.project_id,
    docker_volume_size: group.docker_volume_size,
    labels: group.labels,
    links: links(call, `clusters/${group.cluster_id}/nodegroups/${group.uuid}`),
    flavor_id: group.flavor_id,
    image_id: group.image_id,
    node_addresses: group.node_addresses,
    node_count: group.node_count,
    role: group.role,
    min_node_count: group.min_node_count,
    max_node_count: group.max_node_count,
    is_default: group.is_default,
    stack_id: group.stack_id,
    status: group.status,
    status_reason: group.status_reason,
    version: group.version,
    merge_labels: false,
    ...labelDifferences(group.labels, cluster.labels),
    node_labels: group.node_labels,
    node_taints: group.node_taints,
    created_at: timestamp(group.created_at),
    updated_at: timestamp(group.updated_at),
  }
  return known(call, view, {
    merge_labels: 11,
    labels_overridden: 11,
    labels_added: 11,
    labels_skipped: 11,
    node_labels: 23,
    node_taints: 23,
  }) as Record<string, unknown>
}

export const federationRow = (call: Call, row: Federation): Record<string, unknown> => ({
  uuid: row.uuid,
  name: row.name,
  hostcluster_id: row.hostcluster_id,
  member_ids: row.member_ids,
  status: row.status,
  properties: row.properties,
  links: links(call, `federations/${row.uuid}`),
})

export function federationView(call: Call, row: Federation): object {
  const { properties, links: ours, ...short } = federationRow(call, row)
  return {
    ...short,
    status_reason: row.status_reason,
    properties,
    links: ours,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  }
}

export const quotaView = (row: Quota): object => ({
  id: row.id,
  hard_limit: row.hard_limit,
  project_id: row.project_id,
  resource: row.resource,
  created_at: timestamp(row.created_at),
  updated_at: timestamp(row.updated_at),
})
