import type { Fields } from '../fields.ts'

const text = { kind: 'text' } as const
const short = { kind: 'text', minLength: 1, maxLength: 255 } as const

export const coes = ['swarm-mode', 'dcos', 'swarm', 'kubernetes', 'mesos'] as const

/** Since 2024.1 there is only one orchestration engine. */
export const templateFields = (release: number): Fields => ({
  uuid: text,
  name: short,
  coe: {
    kind: 'text',
    mandatory: release >= 16,
    values: release >= 18 ? ['kubernetes'] : release >= 16 ? ['swarm', 'swarm-mode', 'kubernetes'] : coes,
  },
  image_id: { ...short, mandatory: true },
  flavor_id: short,
  master_flavor_id: short,
  dns_nameserver: text,
  keypair_id: short,
  external_network_id: short,
  fixed_network: short,
  fixed_subnet: short,
  network_driver: short,
  apiserver_port: { kind: 'int', min: 1024, max: 65535 },
  docker_volume_size: { kind: 'int', min: 1 },
  cluster_distro: text,
  links: { kind: 'list', readOnly: true },
  http_proxy: short,
  https_proxy: short,
  no_proxy: short,
  volume_driver: short,
  registry_enabled: { kind: 'bool' },
  labels: { kind: 'labels' },
  tls_disabled: { kind: 'bool' },
  public: { kind: 'bool' },
  server_type: { kind: 'text', values: ['bm', 'vm'] },
  insecure_registry: short,
  docker_storage_driver: text,
  master_lb_enabled: { kind: 'bool' },
  floating_ip_enabled: { kind: 'bool' },
  project_id: { ...text, readOnly: true },
  user_id: { ...text, readOnly: true },
  hidden: { kind: 'bool', since: 8 },
  tags: { kind: 'text', maxLength: 255, since: 12 },
  driver: { kind: 'text', since: 20 },
  created_at: { ...text, readOnly: true },
  updated_at: { ...text, readOnly: true },
})
