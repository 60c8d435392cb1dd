/** From the options of `cluster template create` to the body of the request. */
import { pairValue } from '../../cli/parse/flag-pairs.ts'
import { givenLabels } from '../../cli/parse/labels.ts'
import type { Values } from '../../cli/spec.ts'
import type { Fields } from '../../model/backend.ts'
import { floatingIp, type templateCreateOptions, visibility } from './create-options.ts'

type Options = Values<typeof templateCreateOptions>

/**
 * What was said, and upstream's own defaults; nothing else, no nulls and no `false` that is the server's default anyway: each release
 * of Magnum knows some fields more, and refuses those that it does not know.
 */
export function createFields(name: string, options: Options): Fields {
  const fields: Fields = {
    name,
    coe: options.coe,
    image_id: options.image,
    external_network_id: options.externalNetwork,
    keypair_id: options.keypair,
    fixed_network: options.fixedNetwork,
    fixed_subnet: options.fixedSubnet,
    network_driver: options.networkDriver,
    volume_driver: options.volumeDriver,
    dns_nameserver: options.dnsNameserver,
    flavor_id: options.flavor,
    master_flavor_id: options.masterFlavor,
    docker_volume_size: options.dockerVolumeSize,
    docker_storage_driver: options.dockerStorageDriver,
    http_proxy: options.httpProxy,
    https_proxy: options.httpsProxy,
    no_proxy: options.noProxy,
    insecure_registry: options.insecureRegistry,
    labels: givenLabels(options),
    tls_disabled: options.tlsDisabled || undefined,
    public: options.public || undefined,
    registry_enabled: options.registryEnabled || undefined,
    server_type: options.serverType,
    master_lb_enabled: options.masterLbEnabled || undefined,
    floating_ip_enabled: pairValue(floatingIp, options.floatingIpEnabled, options.floatingIpDisabled),
    hidden: pairValue(visibility, options.hidden, options.visible) || undefined,
    tags: joinTags(options.tags),
    driver: options.driver,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** In the order they were given, each once. */
export function joinTags(given: readonly string[]): string | undefined {
  if (given.length === 0) return undefined
  return [...new Set(given.flatMap(text => text.split(',')))].join(',')
}
