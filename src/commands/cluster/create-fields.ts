/** From the options of `cluster create` to the body of the request: only what was said, so that servers of all ages take it. */
import { givenLabels, type LabelMap } from '../../cli/labels.ts'
import { usage } from '../../core/errors.ts'
import type { Fields } from '../../model/backend.ts'

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
  const floatingIp = oneOfPair('floating-ip', options.floatingIpEnabled, options.floatingIpDisabled)
  const masterLb = oneOfPair('master-lb', options.masterLbEnabled, options.masterLbDisabled)
  if (masterLb === false && (options.masterCount ?? 1) > 1) {
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
    floating_ip_enabled: floatingIp,
    master_lb_enabled: masterLb,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** `--x-enabled` and `--x-disabled`: one of them, once, or none. */
function oneOfPair(what: string, enabled: number, disabled: number): boolean | undefined {
  if (enabled + disabled > 1) {
    throw usage(`--${what}-enabled and --${what}-disabled are mutually exclusive and should be specified only once`)
  }
  return enabled ? true : disabled ? false : undefined
}
