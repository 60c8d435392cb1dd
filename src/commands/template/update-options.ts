/** The newer dialect of `cluster template update`: an option for each field. */
import { asDictionary, asFlag, asNumber, asText, changeOf, type StockPaths } from '../../cli/parse/change-arguments.ts'
import type { editsOf } from '../../cli/parse/edit-arguments.ts'
import { type FlagPair, flagPair, pairOptions, pairValues } from '../../cli/parse/flag-pairs.ts'
import { type FieldOptions, givenValues } from '../../cli/parse/given-values.ts'
import { int, keyValues, text, texts } from '../../cli/parse/values.ts'
import type { OptionSpec, Values } from '../../cli/spec.ts'
import { defined } from '../../core/defined.ts'
import type { TemplateChange, TemplateFields } from '../../model/template-request.ts'
import { givenTags } from './create-options.ts'

const pairs = {
  public: flagPair('public', 'let other projects use it', 'private', 'keep it to this project'),
  tlsDisabled: flagPair(
    'tls-disabled',
    'serve the APIs of its clusters without TLS',
    'tls-enabled',
    'serve them with TLS',
  ),
  registry: flagPair('registry-enabled', 'give clusters a registry', 'registry-disabled', 'do not give them any'),
  loadBalancer: flagPair(
    'master-lb-enabled',
    'put a load balancer in front of the control plane',
    'master-lb-disabled',
    'do not use a load balancer',
  ),
  floatingIps: flagPair(
    'floating-ip-enabled',
    'give the nodes floating addresses',
    'floating-ip-disabled',
    'do not give them any',
  ),
  hidden: flagPair('hidden', 'hide it', 'visible', 'show it'),
} satisfies { [K in keyof TemplateFields]?: FlagPair }

const fields = {
  name: text('name', 'name', 'new name'),
  image: text('image', 'image', 'name or uuid of the image of the nodes'),
  flavor: text('flavor', 'flavor', 'flavor of the worker nodes'),
  controlPlaneFlavor: text('master-flavor', 'flavor', 'flavor of the control plane nodes'),
  keypair: text('keypair', 'keypair', 'SSH key pair to put on the nodes'),
  externalNetwork: text('external-network', 'network', 'network that the clusters are reached through'),
  network: text('fixed-network', 'network', 'private network for the nodes'),
  subnet: text('fixed-subnet', 'subnet', 'private subnet for the nodes'),
  networkDriver: text('network-driver', 'driver', 'what connects the containers'),
  volumeDriver: text('volume-driver', 'driver', 'what makes volumes for containers'),
  driver: text('driver', 'driver', 'Magnum driver for its clusters (servers of 2026.2 and newer)'),
  dnsNameserver: text('dns-nameserver', 'address', 'name servers of the nodes'),
  containerVolumeSize: int('docker-volume-size', 'GB', 'size of the volume for containers on each node', { min: 1 }),
  storageDriver: text('docker-storage-driver', 'driver', 'how the nodes store images'),
  httpProxy: text('http-proxy', 'url', 'proxy for HTTP'),
  httpsProxy: text('https-proxy', 'url', 'proxy for HTTPS'),
  noProxy: text('no-proxy', 'hosts', 'hosts that are reached without a proxy'),
  insecureRegistry: text('insecure-registry', 'address', 'registry to use without TLS'),
} satisfies FieldOptions<TemplateFields>

/** Paths of the older dialect that are not the option's name with underscores. */
const renamed: Readonly<Record<string, string>> = {
  image: 'image_id',
  flavor: 'flavor_id',
  'master-flavor': 'master_flavor_id',
  keypair: 'keypair_id',
  'external-network': 'external_network_id',
}

const pathOf = ({ name }: OptionSpec): string => renamed[name] ?? name.replaceAll('-', '_')

/** An option for a field has the path of that field. */
const paths = {
  ...Object.fromEntries(
    Object.entries(fields).map(([field, option]) => [
      pathOf(option),
      [field, field === 'containerVolumeSize' ? asNumber : asText],
    ]),
  ),
  ...Object.fromEntries(Object.entries(pairs).map(([field, { yes }]) => [pathOf(yes), [field, asFlag]])),
  labels: ['labels', asDictionary],
  tags: ['tags', value => (typeof value === 'string' ? value.split(',') : undefined)],
} as StockPaths<TemplateFields>

export const templateUpdateOptions = {
  ...fields,
  label: keyValues('label', 'set this label and keep the others; repeatable'),
  noLabel: texts('no-label', 'key', 'remove this label; repeatable'),
  tag: texts('tag', 'tag', 'tag; replaces all existing tags; repeatable'),
  ...pairOptions(pairs),
}

export function templateChange(
  words: Parameters<typeof editsOf>[0],
  options: Values<typeof templateUpdateOptions>,
): TemplateChange {
  const set = {
    ...givenValues(fields, options),
    ...defined({ tags: givenTags(options.tag), ...pairValues(pairs, options) }),
  }
  return changeOf<TemplateFields>(words, { set, labels: { set: options.label, unset: options.noLabel } }, paths)
}
