/** Magnum's names of the fields of cluster templates. */
import type { TemplateFields } from '../../model/template-request.ts'
import type { WireFields } from '../encode.ts'

export const templateFields: WireFields<TemplateFields> = {
  name: 'name',
  coe: 'coe',
  image: 'image_id',
  externalNetwork: 'external_network_id',
  keypair: 'keypair_id',
  network: 'fixed_network',
  subnet: 'fixed_subnet',
  networkDriver: 'network_driver',
  volumeDriver: 'volume_driver',
  dnsNameserver: 'dns_nameserver',
  flavor: 'flavor_id',
  controlPlaneFlavor: 'master_flavor_id',
  containerVolumeSize: 'docker_volume_size',
  storageDriver: 'docker_storage_driver',
  httpProxy: 'http_proxy',
  httpsProxy: 'https_proxy',
  noProxy: 'no_proxy',
  insecureRegistry: 'insecure_registry',
  labels: 'labels',
  tlsDisabled: 'tls_disabled',
  public: 'public',
  registry: 'registry_enabled',
  serverType: 'server_type',
  loadBalancer: 'master_lb_enabled',
  floatingIps: 'floating_ip_enabled',
  hidden: 'hidden',
  tags: ['tags', tags => tags.join(',')],
  driver: 'driver',
}
