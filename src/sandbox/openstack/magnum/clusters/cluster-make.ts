import { randomUUID } from 'node:crypto'
import type { MagnumState } from '../context.ts'
import type { Values } from '../fields.ts'
import { randomName } from '../names.ts'
import { makeNodegroup } from '../nodegroups/nodegroup-make.ts'
import type { Cluster, Labels, Template } from '../store.ts'

/** A new row from the request and the template, with its two default node groups. */
export function makeCluster(
  state: MagnumState,
  template: Template,
  requested: Values,
  owner: { projectId: string; userId: string },
): Cluster {
  const from = <T>(name: keyof Template): T => (requested[name] ?? template[name]) as T
  const own = requested.labels as Labels | null | undefined
  const cluster: Cluster = {
    id: state.store.nextId(),
    uuid: randomUUID(),
    name: (requested.name as string | undefined) ?? randomName('cluster'),
    project_id: owner.projectId,
    user_id: owner.userId,
    cluster_template_id: template.uuid,
    keypair: (requested.keypair as string | undefined) ?? template.keypair_id,
    docker_volume_size: from('docker_volume_size'),
    // labels in the request replace the template's, unless merge_labels is set
    labels: !own ? { ...template.labels } : requested.merge_labels ? { ...template.labels, ...own } : own,
    master_flavor_id: from('master_flavor_id'),
    flavor_id: from('flavor_id'),
    create_timeout: (requested.create_timeout as number | undefined) ?? 60,
    stack_id: null,
    status: 'CREATE_IN_PROGRESS',
    status_reason: null,
    health_status: null,
    health_status_reason: {},
    discovery_url: (requested.discovery_url as string | undefined) ?? null,
    api_address: null,
    coe_version: null,
    container_version: null,
    fixed_network: from('fixed_network'),
    fixed_subnet: from('fixed_subnet'),
    floating_ip_enabled: from('floating_ip_enabled'),
    master_lb_enabled: from('master_lb_enabled'),
    faults: {},
    nodegroups: [],
    updatesUnderWay: 0,
    authorities: new Map(),
    created_at: state.clock.now(),
    updated_at: null,
  }
  const shared = { is_default: true, docker_volume_size: cluster.docker_volume_size }
  cluster.nodegroups = [
    makeNodegroup(state, cluster, template, {
      ...shared,
      name: 'default-master',
      role: 'master',
      node_count: (requested.master_count as number | undefined) ?? 1,
      flavor_id: cluster.master_flavor_id,
    }),
    makeNodegroup(state, cluster, template, {
      ...shared,
      name: 'default-worker',
      role: 'worker',
      node_count: (requested.node_count as number | undefined) ?? 1,
    }),
  ]
  return cluster
}
