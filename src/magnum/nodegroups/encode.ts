/** Magnum's names of the fields of node groups. */
import type { NodeGroupFields, NodeGroupRequest } from '../../model/nodegroup-request.ts'
import type { WireFields } from '../encode.ts'

export const nodeGroupFields: WireFields<NodeGroupRequest & NodeGroupFields> = {
  name: 'name',
  nodeCount: 'node_count',
  minNodes: 'min_node_count',
  maxNodes: 'max_node_count',
  role: 'role',
  flavor: 'flavor_id',
  image: 'image_id',
  containerVolumeSize: 'docker_volume_size',
  labels: 'labels',
  mergeLabels: 'merge_labels',
  nodeLabels: 'node_labels',
  nodeTaints: 'node_taints',
}
