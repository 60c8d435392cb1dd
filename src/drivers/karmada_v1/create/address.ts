/** By which address users reach a federation's API: told, given by a load balancer, or that of a node. */
import { isIP } from 'node:net'
import { failed } from '../../../core/errors.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import { isTrue } from '../../../kube/api/object.ts'
import { as, type Node, type Service } from '../../../kube/api/typed.ts'
import { apiServicePort } from '../templates/services.ts'
import type { Site } from '../templates/site.ts'

export type Address = {
  address: string
  port: number
  /** The API answers at these as well; certificates name them. */
  otherAddresses: string[]
}

/** In a URL an IPv6 address stands in brackets. */
export const urlOf = ({ address, port }: Pick<Address, 'address' | 'port'>): string =>
  `https://${isIP(address) === 6 ? `[${address}]` : address}:${port}`

/** More would make a certificate long, and nodes come and go. */
const mostNodes = 8

/** Undefined while the host has not assigned one. */
export async function findAddress(site: Site, host: ClusterApi, signal: AbortSignal): Promise<Address | undefined> {
  const { settings, namespace } = site
  const ref = { apiVersion: 'v1', kind: 'Service', name: 'karmada-apiserver', namespace }
  const found = await host.get(ref, { signal })
  const service = found && as<Service>(found)
  if (!service) return undefined
  const told = settings.advertiseAddress
  if (settings.expose === 'loadbalancer') {
    const given = service.status?.loadBalancer?.ingress?.flatMap(i => i.ip ?? i.hostname ?? []) ?? []
    const address = told ?? given[0]
    if (address === undefined) return undefined
    return { address, port: apiServicePort(site), otherAddresses: given.filter(other => other !== address) }
  }
  const port = service.spec?.ports?.[0]?.nodePort
  if (port === undefined) return undefined
  const nodes = nodeAddresses((await host.list<KubeNode>({ apiVersion: 'v1', kind: 'Node' }, { signal })).items)
  const address = told ?? nodes[0]
  if (address === undefined) {
    throw failed('no node of the host tells an address by which its ports can be reached', {
      hint: 'name one with --advertise-address',
    })
  }
  return { address, port, otherAddresses: nodes.filter(other => other !== address) }
}

type KubeNode = Node & { kind: string }

/** Of nodes that are Ready, those of the control plane first, one address each: a public one where there is one. */
export function nodeAddresses(nodes: readonly Node[]): string[] {
  const isControl = (node: Node) => node.metadata.labels?.['node-role.kubernetes.io/control-plane'] !== undefined
  const name = (node: Node) => node.metadata.name ?? ''
  return [...nodes]
    .filter(node => isTrue({ ...node, kind: 'Node' }, 'Ready'))
    .sort((a, b) => Number(isControl(b)) - Number(isControl(a)) || (name(a) < name(b) ? -1 : 1))
    .flatMap(node => {
      const all = node.status?.addresses ?? []
      const best = all.find(a => a.type === 'ExternalIP') ?? all.find(a => a.type === 'InternalIP')
      return best ? [best.address] : []
    })
    .slice(0, mostNodes)
}
