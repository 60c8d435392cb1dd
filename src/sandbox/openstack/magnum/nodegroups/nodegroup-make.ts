import { randomUUID } from 'node:crypto'
import type { MagnumState } from '../context.ts'
import type { Cluster, Nodegroup, Template } from '../store.ts'

type GroupValues = Pick<Nodegroup, 'name' | 'role' | 'node_count'> & Partial<Nodegroup>

export const makeNodegroup = (
  state: MagnumState,
  cluster: Cluster,
  template: Template,
  values: GroupValues,
): Nodegroup => ({
  id: state.store.nextId(),
  uuid: randomUUID(),
  cluster_id: cluster.uuid,
  project_id: cluster.project_id,
  docker_volume_size: null,
  labels: { ...cluster.labels },
  flavor_id: cluster.flavor_id,
  image_id: template.image_id,
  node_addresses: [],
  min_node_count: 0,
  max_node_count: null,
  is_default: false,
  stack_id: null,
  status: 'CREATE_IN_PROGRESS',
  status_reason: null,
  version: null,
  node_labels: null,
  node_taints: null,
  created_at: state.clock.now(),
  updated_at: null,
  ...values,
})
