/** The options of a new template, with the openstack client's names. Each has the key of its field in the request. */
import { floatingIp } from '../../cli/options/floating-ips.ts'
import { flagPair, pairValue } from '../../cli/parse/flag-pairs.ts'
import { type FieldOptions, givenValues } from '../../cli/parse/given-values.ts'
import { givenLabels, labelOptions } from '../../cli/parse/labels.ts'
import { flag, int, requiredText, text, textOr, texts } from '../../cli/parse/values.ts'
import type { Values } from '../../cli/spec.ts'
import { defined } from '../../core/defined.ts'
import type { TemplateRequest } from '../../model/template-request.ts'

const visibility = flagPair('hidden', 'hide it from users who may not publish', 'visible', 'show it (the default)')

const nodes = 'Nodes'
const networkGroup = 'Network'
const containers = 'Containers'

export const templateCreateOptions = {
  coe: requiredText('coe', 'coe', 'what runs the containers: kubernetes', { complete: 'none' }),
  image: requiredText('image', 'image', 'name or uuid of the image of the nodes'),
  externalNetwork: requiredText('external-network', 'network', 'network that the clusters are reached through'),
  ...labelOptions,
  keypair: text('keypair', 'keypair', 'name or id of the SSH key pair to put on the nodes', { group: nodes }),
  flavor: textOr('flavor', 'flavor', 'flavor of the worker nodes', 'm1.medium', { group: nodes }),
  controlPlaneFlavor: text('master-flavor', 'flavor', 'flavor of the control plane nodes', { group: nodes }),
  serverType: textOr('server-type', 'type', 'vm, or bm for bare metal', 'vm', { group: nodes }),
  containerVolumeSize: int('docker-volume-size', 'GB', 'size of the volume for containers on each node', {
    group: containers,
    min: 1,
  }),
  storageDriver: textOr('docker-storage-driver', 'driver', 'how the nodes store images', 'overlay2', {
    group: containers,
  }),
  volumeDriver: text('volume-driver', 'driver', 'what makes volumes for containers: cinder', { group: containers }),
  registry: flag('registry-enabled', 'give clusters an image registry of their own', { group: containers }),
  insecureRegistry: text('insecure-registry', 'address', 'registry to use without TLS', { group: containers }),
  networkDriver: text('network-driver', 'driver', 'what connects the containers: calico, cilium, flannel', {
    group: networkGroup,
  }),
  network: text('fixed-network', 'network', 'private network for the nodes', { group: networkGroup }),
  subnet: text('fixed-subnet', 'subnet', 'private subnet for the nodes', { group: networkGroup }),
  dnsNameserver: textOr('dns-nameserver', 'address', 'name servers of the nodes', '8.8.8.8', { group: networkGroup }),
  httpProxy: text('http-proxy', 'url', 'proxy for HTTP', { group: networkGroup }),
  httpsProxy: text('https-proxy', 'url', 'proxy for HTTPS', { group: networkGroup }),
  noProxy: text('no-proxy', 'hosts', 'hosts that are reached without a proxy', { group: networkGroup }),
  loadBalancer: flag('master-lb-enabled', 'put a load balancer in front of the control plane', { group: networkGroup }),
  floatingIps: { ...floatingIp.yes, group: networkGroup },
  noFloatingIps: { ...floatingIp.no, group: networkGroup },
  tlsDisabled: flag('tls-disabled', 'serve the APIs of its clusters without TLS', { group: networkGroup }),
  public: flag('public', 'let other projects use it (needs the right to publish)'),
  hidden: visibility.yes,
  visible: visibility.no,
  tags: texts('tags', 'tag,…', 'tags; repeatable'),
  driver: text('driver', 'driver', 'Magnum driver for its clusters (servers of 2026.2 and newer)'),
} satisfies FieldOptions<TemplateRequest, 'label' | 'noFloatingIps' | 'visible'>

/** The given options, with upstream's defaults. `hidden: false` is not sent, because it is the default of every server. */
export function templateRequest(name: string, options: Values<typeof templateCreateOptions>): TemplateRequest {
  const { labels, label, floatingIps, noFloatingIps, hidden, visible, tags, ...fields } = givenValues(
    templateCreateOptions,
    options,
  )
  return {
    name,
    ...fields,
    ...defined({
      labels: givenLabels({ labels, label }),
      floatingIps: pairValue(floatingIp, floatingIps, noFloatingIps),
      hidden: pairValue(visibility, hidden, visible) || undefined,
      tags: givenTags(tags),
    }),
  }
}

/** In the order they were given, each once. */
export function givenTags(given: readonly string[]): string[] | undefined {
  if (given.length === 0) return undefined
  return [...new Set(given.flatMap(text => text.split(',')))]
}
