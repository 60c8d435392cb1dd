/** Magnum's names of the fields of clusters, and the bodies to create, change, resize and upgrade one. */
import { defined } from '../../core/defined.ts'
import type { PatchOperation } from '../../model/change.ts'
import type {
  ClusterChange,
  ClusterFields,
  ClusterRequest,
  ClusterResize,
  ClusterUpgrade,
} from '../../model/cluster-request.ts'
import type { RequestBody } from '../../openstack/magnum-api/one.ts'
import { encodeBody, encodePatch, labelOperations, type WireFields } from '../encode.ts'

const clusterFields: WireFields<ClusterRequest & ClusterFields> = {
  name: 'name',
  template: 'cluster_template_id',
  discoveryUrl: 'discovery_url',
  containerVolumeSize: 'docker_volume_size',
  labels: 'labels',
  mergeLabels: 'merge_labels',
  keypair: 'keypair',
  controlPlaneCount: 'master_count',
  nodeCount: 'node_count',
  createTimeout: 'create_timeout',
  controlPlaneFlavor: 'master_flavor_id',
  flavor: 'flavor_id',
  network: 'fixed_network',
  subnet: 'fixed_subnet',
  floatingIps: 'floating_ip_enabled',
  loadBalancer: 'master_lb_enabled',
  healthStatus: 'health_status',
  healthStatusReason: 'health_status_reason',
}

export const encodeCluster = (request: ClusterRequest): RequestBody => encodeBody(request, clusterFields)

export const encodeClusterChange = (change: ClusterChange): PatchOperation[] => [
  ...encodePatch(change, clusterFields),
  ...labelOperations(change.labels),
]

export const encodeResize = ({ nodeCount, nodesToRemove, nodegroup }: ClusterResize): RequestBody =>
  defined({
    node_count: nodeCount,
    nodes_to_remove: nodesToRemove.length ? nodesToRemove : undefined,
    nodegroup,
  })

export const encodeUpgrade = ({ template, maxBatchSize, nodegroup }: ClusterUpgrade): RequestBody =>
  defined({ cluster_template: template, max_batch_size: maxBatchSize, nodegroup })
