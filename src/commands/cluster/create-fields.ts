/** From the options of `cluster create` to the body of the request: only what was said, so that servers of all ages take it. */
import { flagPair, pairValue } from '../../cli/parse/flag-pairs.ts'
import { givenLabels, type LabelMap } from '../../cli/parse/labels.ts'
import { usage } from '../../core/errors.ts'
import type { Fields } from '../../model/backend.ts'

export const floatingIp = flagPair(
  'floating-ip-enabled',
  'give the nodes floating addresses',
  'floating-ip-disabled',
  'give the nodes no floating addresses',
)
export const masterLb = flagPair(
  'master-lb-enabled',
  'put a load balancer before the control plane',
  'master-lb-disabled',
  'put no load balancer before the control plane',
)

export interface CreateOptions {
  clusterTemplate: string
  discoveryUrl: string | undefined
  dockerVolumeSize: number | undefined
  labels: LabelMap | undefined
  label: LabelMap
  mergeLabels: boolean
  keypair: string | undefined
  masterCount: number | undefined
  nodeCount: number | undefined
  timeout: number | undefined
  masterFlavor: string | undefined
  flavor: string | undefined
  fixedNetwork: string | undefined
  fixedSubnet: string | undefined
  floatingIpEnabled: number
  floatingIpDisabled: number
  masterLbEnabled: number
  masterLbDisabled: number
}

export function createFields(name: string, options: CreateOptions): Fields {
  const balanced = pairValue(masterLb, options.masterLbEnabled, options.masterLbDisabled)
  if (balanced === false && (options.masterCount ?? 1) > 1) {
    throw usage('master node count can only be one if master loadbalancer is disabled')
  }
  const fields: Fields = {
    name,
    cluster_template_id: options.clusterTemplate,
    discovery_url: options.discoveryUrl,
    docker_volume_size: options.dockerVolumeSize,
    labels: givenLabels(options),
    merge_labels: options.mergeLabels || undefined,
    keypair: options.keypair,
    master_count: options.masterCount,
    node_count: options.nodeCount,
    create_timeout: options.timeout,
    master_flavor_id: options.masterFlavor,
    flavor_id: options.flavor,
    fixed_network: options.fixedNetwork,
    fixed_subnet: options.fixedSubnet,
    floating_ip_enabled: pairValue(floatingIp, options.floatingIpEnabled, options.floatingIpDisabled),
    master_lb_enabled: balanced,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
