import { randomUUID } from 'node:crypto'
import { makeCluster } from './magnum/clusters/cluster-make.ts'
import { finishCreate } from './magnum/clusters/conductor.ts'
import type { Cloud, MagnumState } from './magnum/context.ts'
import type { Values } from './magnum/fields.ts'
import type { Cluster, Federation, Template } from './magnum/store.ts'

/** The simulated cloud's other services; the same names as in the lab. */
export const standardCloud = (): Cloud => ({
  images: {
    'fedora-coreos-38': { os_distro: 'fedora-coreos' },
    'fedora-atomic-29': { os_distro: 'fedora-atomic' },
    'no-distro': {},
    windows: { os_distro: 'windows' },
  },
  ambiguousImages: ['dup-image'],
  flavors: ['m1.tiny', 'm1.small', 'm1.medium', 'm1.large'],
  keypairs: ['testkey', 'otherkey'],
  externalNetworks: ['public'],
  ambiguousExternalNetworks: ['dup-ext'],
  networks: ['public', 'private'],
  subnets: ['public-subnet', 'private-subnet'],
})

export interface Owner {
  projectId: string
  userId: string
}

export function seedTemplate(state: MagnumState, owner: Owner, values: Partial<Template> = {}): Template {
  const template: Template = {
    id: state.store.nextId(),
    uuid: randomUUID(),
    name: 'k8s',
    project_id: owner.projectId,
    user_id: owner.userId,
    coe: 'kubernetes',
    image_id: 'fedora-coreos-38',
    flavor_id: 'm1.small',
    master_flavor_id: 'm1.small',
    dns_nameserver: null,
    keypair_id: 'testkey',
    external_network_id: 'public',
    fixed_network: null,
    fixed_subnet: null,
    network_driver: 'calico',
    apiserver_port: null,
    docker_volume_size: 10,
    cluster_distro: 'fedora-coreos',
    http_proxy: null,
    https_proxy: null,
    no_proxy: null,
    volume_driver: null,
    registry_enabled: false,
    labels: { kube_tag: 'v1.23.3' },
    tls_disabled: false,
    public: false,
    server_type: 'vm',
    insecure_registry: null,
    docker_storage_driver: null,
    master_lb_enabled: true,
    floating_ip_enabled: true,
    hidden: false,
    tags: null,
    driver: 'k8s_fedora_coreos_v1',
    created_at: state.clock.now(),
    updated_at: null,
    ...values,
  }
  state.store.templates.set(template.uuid, template)
  return template
}

/** Adds an existing cluster, complete unless `status` says otherwise. */
export async function seedCluster(
  state: MagnumState,
  owner: Owner,
  template: Template,
  values: Values = {},
): Promise<Cluster> {
  const { status, ...clusterValues } = values
  const cluster = makeCluster(state, template, clusterValues, owner)
  state.store.clusters.set(cluster.uuid, cluster)
  cluster.stack_id = randomUUID()
  for (const group of cluster.nodegroups) group.stack_id = cluster.stack_id
  cluster.coe_version = cluster.labels.kube_tag ?? null
  cluster.container_version = '1.12.6'
  cluster.updated_at = state.clock.now()
  if (status === undefined) await finishCreate(state, cluster)
  else cluster.status = String(status)
  return cluster
}

/** Writes directly to the store, even for the façade, which would never make a federation. */
export function seedFederation(
  state: MagnumState,
  owner: Owner,
  host: Cluster,
  values: Partial<Federation> = {},
): Federation {
  const federation: Federation = {
    id: state.store.nextId(),
    uuid: randomUUID(),
    name: 'fed',
    project_id: owner.projectId,
    hostcluster_id: host.uuid,
    member_ids: [],
    status: 'CREATE_COMPLETE',
    status_reason: null,
    properties: { 'dns-zone': 'example.com.' },
    created_at: state.clock.now(),
    updated_at: null,
    ...values,
  }
  state.store.federations.set(federation.uuid, federation)
  return federation
}
