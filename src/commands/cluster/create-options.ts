/** The options of a new cluster. Each has the key of its field in the request. */
import { floatingIp } from '../../cli/options/floating-ips.ts'
import { flagPair, pairValue } from '../../cli/parse/flag-pairs.ts'
import { type FieldOptions, givenValues } from '../../cli/parse/given-values.ts'
import { givenLabels, labelOptions } from '../../cli/parse/labels.ts'
import { flag, int, requiredText, text } from '../../cli/parse/values.ts'
import type { Values } from '../../cli/spec.ts'
import { defined } from '../../core/defined.ts'
import { usage } from '../../core/errors.ts'
import type { ClusterRequest } from '../../model/cluster-request.ts'

const masterLb = flagPair(
  'master-lb-enabled',
  'put a load balancer in front of the control plane',
  'master-lb-disabled',
  'put no load balancer in front of the control plane',
)

export const clusterCreateOptions = {
  template: requiredText('cluster-template', 'template', 'name or uuid of the template', {
    complete: 'template',
  }),
  nodeCount: int('node-count', 'n', 'number of worker nodes', { fallback: '1', min: 0 }),
  controlPlaneCount: int('master-count', 'n', 'number of control plane nodes; must be odd', { fallback: '1', min: 1 }),
  keypair: text('keypair', 'keypair', 'name or id of the SSH key pair to put on the nodes'),
  flavor: text('flavor', 'flavor', 'flavor of the worker nodes'),
  controlPlaneFlavor: text('master-flavor', 'flavor', 'flavor of the control plane nodes'),
  ...labelOptions,
  mergeLabels: flag('merge-labels', "add the labels to the template's instead of replacing them all"),
  containerVolumeSize: int('docker-volume-size', 'GB', 'size of the volume for containers on each node', { min: 1 }),
  network: text('fixed-network', 'network', 'private network for the nodes'),
  subnet: text('fixed-subnet', 'subnet', 'private subnet for the nodes'),
  floatingIps: floatingIp.yes,
  noFloatingIps: floatingIp.no,
  loadBalancer: masterLb.yes,
  noLoadBalancer: masterLb.no,
  discoveryUrl: text('discovery-url', 'url', 'address where its etcd members find each other'),
  createTimeout: int('timeout', 'minutes', 'how long Magnum may take to create it', { fallback: '60', min: 0 }),
} satisfies FieldOptions<ClusterRequest, 'label' | 'noFloatingIps' | 'noLoadBalancer'>

export function clusterRequest(name: string, options: Values<typeof clusterCreateOptions>): ClusterRequest {
  const { labels, label, floatingIps, noFloatingIps, loadBalancer, noLoadBalancer, ...fields } = givenValues(
    clusterCreateOptions,
    options,
  )
  const balanced = pairValue(masterLb, loadBalancer, noLoadBalancer)
  if (balanced === false && (fields.controlPlaneCount ?? 1) > 1) {
    throw usage('master node count can only be one if master loadbalancer is disabled')
  }
  return {
    name,
    ...fields,
    ...defined({
      labels: givenLabels({ labels, label }),
      floatingIps: pairValue(floatingIp, floatingIps, noFloatingIps),
      loadBalancer: balanced,
    }),
  }
}
