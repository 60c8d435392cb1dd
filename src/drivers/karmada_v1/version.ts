/** What this driver is, as data: help, completion, records and `coe driver show` read it. */
import type { DriverFacts, DriverOption } from '../driver-api.ts'
import { defaultVersion, digestPattern, engineVersions } from './versions.ts'

const create = ['create', 'images'] as const

const options: readonly DriverOption[] = [
  {
    name: 'expose',
    type: 'choice',
    choices: ['loadbalancer', 'nodeport'],
    doc: "how users reach the federation's API: a load balancer of the host's provider, or a port of its nodes",
    fallback: 'loadbalancer',
    verbs: create,
  },
  {
    name: 'advertise-address',
    type: 'text',
    value: 'ADDRESS',
    doc: 'IP address or DNS name that users reach the API by, where it is not the one that the host tells',
    verbs: create,
  },
  {
    name: 'api-port',
    type: 'number',
    value: 'PORT',
    doc: 'port of the API: of the load balancer (5443), or the node port (a free one)',
    verbs: create,
  },
  {
    name: 'ha',
    type: 'flag',
    doc: 'three etcd members and two of each other component, each on a node of its own',
    verbs: create,
  },
  {
    name: 'storage',
    type: 'choice',
    choices: ['pvc', 'emptydir'],
    doc: 'where etcd keeps its data: on a persistent volume, or in its pod, and gone with it',
    fallback: 'pvc',
    verbs: create,
  },
  {
    name: 'storage-class',
    type: 'text',
    value: 'NAME',
    doc: "StorageClass of etcd's volume; without it the host's default",
    verbs: create,
  },
  { name: 'storage-size', type: 'text', value: 'SIZE', doc: "size of etcd's volume", fallback: '5Gi', verbs: create },
  {
    name: 'image-registry',
    type: 'text',
    value: 'REGISTRY',
    doc: 'take all images from here by their last name (REGISTRY/etcd:TAG), not from registry.k8s.io and docker.io/karmada',
    verbs: create,
  },
  {
    name: 'image-pull-secret',
    type: 'text',
    value: 'NAME',
    many: true,
    doc: "Secret in the federation's namespace with a login for the registry",
    verbs: create,
  },
  {
    name: 'toleration',
    type: 'text',
    value: 'KEY[=VALUE][:EFFECT]',
    many: true,
    doc: 'let the control plane run on nodes with this taint',
    verbs: create,
  },
  {
    name: 'node-selector',
    type: 'text',
    value: 'LABEL=VALUE',
    many: true,
    doc: 'run the control plane only on nodes with this label',
    verbs: create,
  },
  {
    name: 'engine-version',
    type: 'choice',
    choices: engineVersions.map(v => v.version),
    doc: 'release of Karmada',
    fallback: defaultVersion.version,
    verbs: create,
  },
  {
    name: 'crds',
    type: 'text',
    value: 'FILE|URL',
    doc: "archive with Karmada's definitions; without it the assets folder, the cache, then the release's download",
    verbs: ['create'],
    passing: true,
  },
  {
    name: 'crds-digest',
    type: 'text',
    value: 'sha256:HEX',
    pattern: digestPattern,
    doc: 'digest of their content to expect in place of the one that comes with coe (or COE_CRDS_DIGEST): for definitions of your own',
    verbs: ['create'],
    passing: true,
  },
]

export const facts: DriverFacts = {
  name: 'karmada_v1',
  version: '1.0.0',
  title: 'federations by Karmada: an API of their own on a host cluster, members by push',
  provides: ['federations'],
  options,
  notes: [
    `Karmada ${engineVersions.map(v => v.version).join(', ')}; the first is the default.`,
    'Definitions come from --crds, from a folder named by COE_ASSETS (karmada-crds-VERSION.tar.gz), from the cache, or from',
    'the release, in that order; the digest of their content is checked wherever they come from.',
  ].join('\n'),
}
