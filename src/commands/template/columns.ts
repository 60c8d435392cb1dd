/** The fields of cluster templates as they are printed, in upstream's order. */
import { column, long, textColumn as text, yesNoColumn as yesNo } from '../../cli/print/columns.ts'
import type { Column } from '../../cli/spec.ts'

const uuid: Column = { ...text('uuid', 'identifier of the template'), nullable: false }
const name = text('name', 'name, which need not be unique')
const tags = text('tags', 'tags, separated by commas')
const coe = text('coe', 'what runs the containers: kubernetes')
const image = text('image_id', 'image of the nodes')
const isPublic = yesNo('public', 'whether other projects may use it')
const hidden = yesNo('hidden', 'whether it is hidden from users who may not publish')
const createdAt = text('created_at', 'when it was created')

export const templateListColumns: readonly Column[] = [
  uuid,
  name,
  tags,
  ...[coe, image, isPublic, hidden, createdAt].map(long),
]

export const templateColumns: readonly Column[] = [
  text('insecure_registry', 'registry that is used without TLS'),
  column('labels', 'object', 'labels that its clusters get'),
  text('updated_at', 'when it last changed'),
  yesNo('floating_ip_enabled', 'whether nodes get floating addresses'),
  text('fixed_subnet', 'private subnet of the nodes'),
  text('master_flavor_id', 'flavor of the control plane nodes'),
  uuid,
  text('no_proxy', 'hosts that are reached without a proxy'),
  text('https_proxy', 'proxy for HTTPS'),
  yesNo('tls_disabled', 'whether the APIs of its clusters are served without TLS'),
  text('keypair_id', 'SSH key pair put on the nodes'),
  isPublic,
  text('http_proxy', 'proxy for HTTP'),
  column('docker_volume_size', 'integer', 'GiB for containers on each node'),
  text('server_type', 'vm, or bm for bare metal'),
  text('external_network_id', 'network that the clusters are reached through'),
  text('cluster_distro', 'operating system of the image'),
  image,
  text('volume_driver', 'what makes volumes for containers'),
  yesNo('registry_enabled', 'whether clusters get an image registry of their own'),
  text('docker_storage_driver', 'how the nodes store images'),
  column('apiserver_port', 'integer', 'port of the Kubernetes API'),
  name,
  createdAt,
  text('network_driver', 'what connects the containers'),
  text('fixed_network', 'private network of the nodes'),
  coe,
  text('flavor_id', 'flavor of the worker nodes'),
  yesNo('master_lb_enabled', 'whether a load balancer is in front of the control plane'),
  text('dns_nameserver', 'name servers of the nodes'),
  // here in 4.11 of the stock client; 4.0 does not show it
  long(text('project_id', 'project it belongs to')),
  hidden,
  tags,
  long(text('driver', 'Magnum driver that handles its clusters (newer servers)')),
]
