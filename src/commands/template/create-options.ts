/** Everything that a template can say about its clusters, spelled as the openstack client does. */
import { flagPair } from '../../cli/parse/flag-pairs.ts'
import { labelOptions } from '../../cli/parse/labels.ts'
import { flag, int, requiredText, text, textOr, texts } from '../../cli/parse/values.ts'

export const floatingIp = flagPair(
  'floating-ip-enabled',
  'give the nodes floating addresses',
  'floating-ip-disabled',
  'give the nodes no floating addresses',
)
export const visibility = flagPair(
  'hidden',
  'keep it out of sight of those who may not publish',
  'visible',
  'show it (the default)',
)

const nodes = 'Nodes'
const network = 'Network'
const containers = 'Containers'

export const templateCreateOptions = {
  coe: requiredText('coe', 'coe', 'what runs the containers: kubernetes', { complete: 'none' }),
  image: requiredText('image', 'image', 'name or uuid of the image of the nodes'),
  externalNetwork: requiredText('external-network', 'network', 'network that the clusters are reached through'),
  ...labelOptions,
  keypair: text('keypair', 'keypair', 'name or id of the SSH key pair to put on the nodes', { group: nodes }),
  flavor: textOr('flavor', 'flavor', 'flavor of the worker nodes', 'm1.medium', { group: nodes }),
  masterFlavor: text('master-flavor', 'flavor', 'flavor of the control plane nodes', { group: nodes }),
  serverType: textOr('server-type', 'type', 'vm, or bm for bare metal', 'vm', { group: nodes }),
  dockerVolumeSize: int('docker-volume-size', 'GB', 'size of the volume for containers on each node', {
    group: containers,
    min: 1,
  }),
  dockerStorageDriver: textOr('docker-storage-driver', 'driver', 'how the nodes store images', 'overlay2', {
    group: containers,
  }),
  volumeDriver: text('volume-driver', 'driver', 'what makes volumes for containers: cinder', { group: containers }),
  registryEnabled: flag('registry-enabled', 'give clusters an image registry of their own', { group: containers }),
  insecureRegistry: text('insecure-registry', 'address', 'registry to use without TLS', { group: containers }),
  networkDriver: text('network-driver', 'driver', 'what connects the containers: calico, cilium, flannel', {
    group: network,
  }),
  fixedNetwork: text('fixed-network', 'network', 'private network for the nodes', { group: network }),
  fixedSubnet: text('fixed-subnet', 'subnet', 'private subnet for the nodes', { group: network }),
  dnsNameserver: textOr('dns-nameserver', 'address', 'name servers of the nodes', '8.8.8.8', { group: network }),
  httpProxy: text('http-proxy', 'url', 'proxy for HTTP', { group: network }),
  httpsProxy: text('https-proxy', 'url', 'proxy for HTTPS', { group: network }),
  noProxy: text('no-proxy', 'hosts', 'what is reached without a proxy', { group: network }),
  masterLbEnabled: flag('master-lb-enabled', 'put a load balancer before the control plane', { group: network }),
  floatingIpEnabled: { ...floatingIp.yes, group: network },
  floatingIpDisabled: { ...floatingIp.no, group: network },
  tlsDisabled: flag('tls-disabled', 'serve the APIs of its clusters without TLS', { group: network }),
  public: flag('public', 'let other projects use it (needs the right to publish)'),
  hidden: visibility.yes,
  visible: visibility.no,
  tags: texts('tags', 'tag,…', 'tags; repeatable'),
  driver: text('driver', 'driver', 'Magnum driver for its clusters (servers of 2026.2 and newer)'),
  ifNotExists: flag(
    'if-not-exists',
    'take a template of that name as it is, if the project has one; when several runs create it at once, all but the first fail (exit 5)',
  ),
  allowDuplicate: flag('allow-duplicate', 'make it even if the project has one of that name'),
}
