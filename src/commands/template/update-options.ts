/** The newer dialect of `cluster template update`: an option for each field. */
import { flagPair, pairValue } from '../../cli/parse/flag-pairs.ts'
import { int, keyValues, text, texts } from '../../cli/parse/values.ts'
import type { Values } from '../../cli/spec.ts'
import type { TemplateChange } from '../../model/backend.ts'
import type { Edit } from '../../model/operation.ts'
import { joinTags } from './create-fields.ts'

const pairs = {
  public: flagPair('public', 'let other projects use it', 'private', 'keep it to this project'),
  tls_disabled: flagPair(
    'tls-disabled',
    'serve the APIs of its clusters without TLS',
    'tls-enabled',
    'serve them with TLS',
  ),
  registry_enabled: flagPair('registry-enabled', 'give clusters a registry', 'registry-disabled', 'give them none'),
  master_lb_enabled: flagPair(
    'master-lb-enabled',
    'put a load balancer before the control plane',
    'master-lb-disabled',
    'put none there',
  ),
  floating_ip_enabled: flagPair(
    'floating-ip-enabled',
    'give the nodes floating addresses',
    'floating-ip-disabled',
    'give them none',
  ),
  hidden: flagPair('hidden', 'keep it out of sight', 'visible', 'show it'),
}

const fields = {
  name: text('name', 'name', 'another name'),
  image: text('image', 'image', 'name or uuid of the image of the nodes'),
  flavor: text('flavor', 'flavor', 'flavor of the worker nodes'),
  masterFlavor: text('master-flavor', 'flavor', 'flavor of the control plane nodes'),
  keypair: text('keypair', 'keypair', 'SSH key pair to put on the nodes'),
  externalNetwork: text('external-network', 'network', 'network that the clusters are reached through'),
  fixedNetwork: text('fixed-network', 'network', 'private network for the nodes'),
  fixedSubnet: text('fixed-subnet', 'subnet', 'private subnet for the nodes'),
  networkDriver: text('network-driver', 'driver', 'what connects the containers'),
  volumeDriver: text('volume-driver', 'driver', 'what makes volumes for containers'),
  driver: text('driver', 'driver', 'Magnum driver for its clusters (servers of 2026.2 and newer)'),
  dnsNameserver: text('dns-nameserver', 'address', 'name servers of the nodes'),
  dockerVolumeSize: int('docker-volume-size', 'GB', 'size of the volume for containers on each node', { min: 1 }),
  dockerStorageDriver: text('docker-storage-driver', 'driver', 'how the nodes store images'),
  httpProxy: text('http-proxy', 'url', 'proxy for HTTP'),
  httpsProxy: text('https-proxy', 'url', 'proxy for HTTPS'),
  noProxy: text('no-proxy', 'hosts', 'what is reached without a proxy'),
  insecureRegistry: text('insecure-registry', 'address', 'registry to use without TLS'),
}

/** Names of fields that are not the option's with underscores. */
const renamed: Partial<Record<keyof typeof fields, string>> = {
  image: 'image_id',
  flavor: 'flavor_id',
  masterFlavor: 'master_flavor_id',
  keypair: 'keypair_id',
  externalNetwork: 'external_network_id',
}

export const templateUpdateOptions = {
  ...fields,
  label: keyValues('label', 'set this label, and leave the others; repeatable'),
  noLabel: texts('no-label', 'key', 'take this label away; repeatable'),
  tag: texts('tag', 'tag', 'the tags it shall have, instead of those it has; repeatable'),
  public: pairs.public.yes,
  private: pairs.public.no,
  tlsDisabled: pairs.tls_disabled.yes,
  tlsEnabled: pairs.tls_disabled.no,
  registryEnabled: pairs.registry_enabled.yes,
  registryDisabled: pairs.registry_enabled.no,
  masterLbEnabled: pairs.master_lb_enabled.yes,
  masterLbDisabled: pairs.master_lb_enabled.no,
  floatingIpEnabled: pairs.floating_ip_enabled.yes,
  floatingIpDisabled: pairs.floating_ip_enabled.no,
  hidden: pairs.hidden.yes,
  visible: pairs.hidden.no,
}

export function changeOf(options: Values<typeof templateUpdateOptions>): TemplateChange {
  const named = (Object.keys(fields) as (keyof typeof fields)[]).map((key): [string, Edit['value']] => [
    renamed[key] ?? fields[key].name.replaceAll('-', '_'),
    options[key],
  ])
  const flags: [string, Edit['value']][] = [
    ['public', pairValue(pairs.public, options.public, options.private)],
    ['tls_disabled', pairValue(pairs.tls_disabled, options.tlsDisabled, options.tlsEnabled)],
    ['registry_enabled', pairValue(pairs.registry_enabled, options.registryEnabled, options.registryDisabled)],
    ['master_lb_enabled', pairValue(pairs.master_lb_enabled, options.masterLbEnabled, options.masterLbDisabled)],
    [
      'floating_ip_enabled',
      pairValue(pairs.floating_ip_enabled, options.floatingIpEnabled, options.floatingIpDisabled),
    ],
    ['hidden', pairValue(pairs.hidden, options.hidden, options.visible)],
  ]
  const given = [...named, ['tags', joinTags(options.tag)] as [string, Edit['value']], ...flags]
  return {
    edits: given.flatMap(([path, value]): Edit[] => (value === undefined ? [] : [{ op: 'replace', path, value }])),
    labels: { set: options.label, unset: options.noLabel },
  }
}
