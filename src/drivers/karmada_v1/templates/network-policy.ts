/** Who may call which component. Ingress alone: the controllers must reach members wherever those are. */
import type { KubeObject } from '../../../kube/api/object.ts'
import { apiServerPort, type ComponentName, components } from '../names.ts'
import { componentPorts, selector } from './pod.ts'
import type { Site } from './site.ts'

interface Entry {
  /** Components whose pods may call. Undefined: anybody, from anywhere. */
  from?: readonly ComponentName[]
  ports: readonly number[]
}

const api: ComponentName = 'karmada-apiserver'
const aggregated: ComponentName = 'karmada-aggregated-apiserver'

/** Probes come from the pod's own node, which every policy lets in. */
const entries: Record<ComponentName, readonly Entry[]> = {
  etcd: [
    { from: [api, aggregated], ports: [2379] },
    { from: ['etcd'], ports: [2379, 2380] },
  ],
  // users, and agents of members: by a load balancer or a node's port they may come from everywhere
  [api]: [{ ports: [apiServerPort] }],
  [aggregated]: [{ from: [api], ports: [8443] }],
  'karmada-webhook': [{ from: [api], ports: [8443] }],
  'kube-controller-manager': [],
  'karmada-controller-manager': [],
  'karmada-scheduler': [],
}

const ref = (name: ComponentName, { namespace }: Site) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  name,
  namespace,
})

export const networkPolicyRefs = (site: Site) => components.map(name => ref(name, site))

export function networkPolicies(site: Site): KubeObject[] {
  return components.map(name => {
    const { apiVersion, kind, namespace } = ref(name, site)
    const ingress = [...entries[name].map(entry => rule(entry, site)), ...scraping(name, site)]
    const spec = { podSelector: { matchLabels: pods(name, site) }, policyTypes: ['Ingress'], ingress }
    return { apiVersion, kind, metadata: { name, namespace, labels: selector(name) }, spec }
  })
}

const pods = (name: ComponentName, { labels }: Site) => ({ ...labels, ...selector(name) })

const rule = ({ from, ports }: Entry, site: Site) => ({
  ...(from ? { from: from.map(name => ({ podSelector: { matchLabels: pods(name, site) } })) } : {}),
  ports: ports.map(tcp),
})

/** Whoever wants metrics read from the host's pods gets them read. */
function scraping(name: ComponentName, site: Site): object[] {
  const port = componentPorts[name]?.metrics
  if (site.settings.metrics === 'local' || port === undefined) return []
  return [{ from: [{ namespaceSelector: {} }], ports: [tcp(port)] }]
}

const tcp = (port: number) => ({ protocol: 'TCP', port })
