/** Stands in for a provider of load balancers: gives one Service an address, as the controller of a cloud would. */
import type { Clusters } from './clusters.ts'

/**
 * The address is that of a node: kube-proxy serves the ports of a Service at each address in its status, so what comes
 * to the node for that port reaches the pods. @returns the address
 */
export async function balance({ kubectl }: Clusters, context: string, namespace: string, name: string) {
  const service = ['service', name, '--namespace', namespace]
  await kubectl(context, 'wait', '--for=create', `namespace/${namespace}`, '--timeout=200s')
  await kubectl(context, 'wait', '--for=create', `service/${name}`, '--namespace', namespace, '--timeout=200s')
  const addresses = '{.items[*].status.addresses[?(@.type=="InternalIP")].address}'
  const nodes = (await kubectl(context, 'get', 'nodes', '-o', `jsonpath=${addresses}`)).split(' ')
  const ip = nodes.at(-1) ?? ''
  const status = JSON.stringify({ status: { loadBalancer: { ingress: [{ ip }] } } })
  await kubectl(context, 'patch', ...service, '--subresource=status', '--type=merge', `--patch=${status}`)
  return ip
}
