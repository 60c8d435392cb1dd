/** The fields of node groups as they are printed, in upstream's order. */
import { column, long, textColumn as text } from '../../cli/print/columns.ts'
import type { Column } from '../../cli/spec.ts'

const uuid: Column = { ...text('uuid', 'identifier of the node group'), nullable: false }
const name: Column = { ...text('name', 'name, unique within the cluster'), nullable: false }
const flavor = text('flavor_id', 'flavor of the nodes')
const image = text('image_id', 'image of the nodes')
const nodeCount = column('node_count', 'integer', 'desired number of nodes')
const status = text('status', 'status, such as CREATE_COMPLETE')
const role = text('role', 'worker, master, or a role of your own')
const isDefault = column('is_default', 'boolean', 'whether it was created with the cluster')
const stack = text('stack_id', 'Heat stack behind it')

/** Without the minimum and maximum number of nodes: lists of servers contain made-up values. */
export const nodegroupListColumns: readonly Column[] = [
  uuid,
  name,
  flavor,
  image,
  nodeCount,
  status,
  role,
  ...[isDefault, stack].map(long),
]

export const nodegroupColumns: readonly Column[] = [
  uuid,
  name,
  text('cluster_id', 'cluster it belongs to'),
  text('project_id', 'project it belongs to'),
  column('docker_volume_size', 'integer', 'GiB for containers on each node'),
  column('labels', 'object', 'labels in force'),
  column('labels_overridden', 'object', 'labels of the cluster that the group replaces'),
  column('labels_skipped', 'object', 'labels of the cluster that the group leaves out'),
  column('labels_added', 'object', 'labels that the cluster does not have'),
  flavor,
  image,
  column('node_addresses', 'array', 'addresses of the nodes'),
  nodeCount,
  role,
  column('max_node_count', 'integer', 'maximum number of nodes; null is no limit'),
  column('min_node_count', 'integer', 'minimum number of nodes'),
  isDefault,
  stack,
  status,
  text('status_reason', 'reason for the status'),
  ...[
    column('node_labels', 'object', 'labels of its Kubernetes nodes (newer servers)'),
    column('node_taints', 'array', 'taints of its Kubernetes nodes (newer servers)'),
    text('version', 'version that it runs'),
    text('created_at', 'when it was created'),
    text('updated_at', 'when it last changed'),
  ].map(long),
]
