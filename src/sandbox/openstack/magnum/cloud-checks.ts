import { isIPv4 } from 'node:net'
import type { Cloud } from './context.ts'
import type { Values } from './fields.ts'
import { refuse } from './refusals.ts'

/** Magnum's checks with the cloud's other services before it accepts a request. */

/** The distribution of an image. The error for an unknown image speaks of cluster types, as in Magnum. */
export function clusterDistro(cloud: Cloud, image: string, values: Values): string {
  const found = cloud.ambiguousImages.includes(image) ? undefined : cloud.images[image]
  const distro = found ? (found.os_distro ?? 'None') : 'Unset'
  const coe = values.coe ?? 'Unset'
  if (distro !== 'fedora-coreos' || coe !== 'kubernetes') {
    const server = values.server_type ?? 'vm'
    throw refuse(400, `Cluster type (${server}, ${distro}, ${coe}) not supported.`)
  }
  return distro
}

export function checkDrivers(values: Values): void {
  const { network_driver: network, volume_driver: volume } = values
  if (network != null && !['flannel', 'calico'].includes(String(network))) {
    const expected = 'expecting a flannel/calico/unspecified network driver'
    throw refuse(400, `Network driver type ${network} is not supported, ${expected}.`)
  }
  if (volume != null && volume !== 'cinder') {
    throw refuse(400, `Volume driver type ${volume} is not supported, expecting a cinder/unspecified volume driver.`)
  }
}

export function checkResources(cloud: Cloud, values: Values): void {
  for (const flavor of [values.flavor_id, values.master_flavor_id]) {
    if (flavor != null && !cloud.flavors.includes(String(flavor))) throw refuse(400, `Unable to find flavor ${flavor}.`)
  }
  const network = values.external_network_id
  if (network != null) {
    if (cloud.ambiguousExternalNetworks.includes(String(network))) {
      const advice = 'Please use the external network ID instead.'
      throw refuse(409, `Multiple external networks exist with same name '${network}'. ${advice}`)
    }
    if (!cloud.externalNetworks.includes(String(network))) {
      throw refuse(400, `Unable to find external network ${network}.`)
    }
  }
  const dns = values.dns_nameserver
  if (typeof dns === 'string' && !dns.split(',').every(one => isIPv4(one.trim()))) {
    throw refuse(400, `Expected a single dns address or comma separated dns list, but received ${dns}.`)
  }
}

export function checkKeypair(cloud: Cloud, keypair: unknown): void {
  if (keypair != null && !cloud.keypairs.includes(String(keypair))) {
    throw refuse(404, `Unable to find keypair ${keypair}.`)
  }
}
