/** Finds the address of a federation's API: the one that the user set, a load balancer's, or a node's. */
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
  /** Further addresses at which the API answers. The certificate names them, too. */
  otherAddresses: string[]
}

/** URLs put IPv6 addresses in brackets. */
export const urlOf = ({ address, port }: Pick<Address, 'address' | 'port'>): string =>
  `https://${isIP(address) === 6 ? `[${address}]` : address}:${port}`

/** Limits the length of the certificate. Listing every node would not help much, because nodes come and go. */
const maxNodes = 8

/** Undefined until the host has assigned an address. */
export async function findAddress(site: Site, host: ClusterApi, signal: AbortSignal): Promise<Address | undefined> {
  const { settings, namespace } = site
  const ref = { apiVersion: 'v1', kind: 'Service', name: 'karmada-apiserver', namespace }
  const found = await host.get(ref, { signal })
  const service = found && as<Service>(found)
  if (!service) return undefined
  const configured = settings.advertiseAddress
  if (settings.expose === 'loadbalancer') {
    const assigned = service.status?.loadBalancer?.ingress?.flatMap(i => i.ip ?? i.hostname ?? []) ?? []
    const address = configured ?? assigned[0]
    if (address === undefined) return undefined
    return { address, port: apiServicePort(site), otherAddresses: assigned.filter(other => other !== address) }
  }
  const port = service.spec?.ports?.[0]?.nodePort
  if (port === undefined) return undefined
  const nodes = nodeAddresses((await host.list<KubeNode>({ apiVersion: 'v1', kind: 'Node' }, { signal })).items)
  const address = configured ?? nodes[0]
  if (address === undefined) {
    throw failed('no node of the host reports an address at which its ports can be reached', {
      hint: 'set one with --advertise-address',
    })
  }
  return { address, port, otherAddresses: nodes.filter(other => other !== address) }
}

type KubeNode = Node & { kind: string }

/** One address of each Ready node, control plane nodes first. A node's external address is preferred. */
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
    .slice(0, maxNodes)
}
