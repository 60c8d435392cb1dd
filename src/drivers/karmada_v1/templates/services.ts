/** How the parts reach each other, and how users reach the API. Made first: a certificate needs the address. */
import type { KubeObject } from '../../../kube/api/object.ts'
import { apiServerPort, type ComponentName } from '../names.ts'
import { selector } from './pod.ts'
import type { Site } from './site.ts'

/** The port of the API's Service: what its components, and users of a load balancer, call. */
export const apiServicePort = ({ settings }: Site): number =>
  settings.expose === 'loadbalancer' ? (settings.apiPort ?? apiServerPort) : apiServerPort

export function services(site: Site): KubeObject[] {
  return [
    service(site, 'etcd', 'etcd', {
      clusterIP: 'None',
      publishNotReadyAddresses: true, // members must find each other before they can be ready
      ports: [port('client', 2379, 2379), port('peer', 2380, 2380)],
    }),
    service(site, 'etcd-client', 'etcd', {
      type: 'ClusterIP',
      publishNotReadyAddresses: true, // its clients wait and try again by themselves, and sooner than probes notice
      ports: [port('client', 2379, 2379)],
    }),
    api(site),
    service(site, 'karmada-aggregated-apiserver', 'karmada-aggregated-apiserver', {
      type: 'ClusterIP',
      ports: [port('https', 443, 8443)],
    }),
    service(site, 'karmada-webhook', 'karmada-webhook', { type: 'ClusterIP', ports: [port('https', 443, 8443)] }),
  ]
}

function api(site: Site): KubeObject {
  const { expose, apiPort } = site.settings
  const https = port('https', apiServicePort(site), apiServerPort)
  return service(site, 'karmada-apiserver', 'karmada-apiserver', {
    type: expose === 'loadbalancer' ? 'LoadBalancer' : 'NodePort',
    ports: [expose === 'nodeport' && apiPort ? { ...https, nodePort: apiPort } : https],
  })
}

const service = (site: Site, name: string, component: ComponentName, spec: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: site.namespace, labels: selector(component) },
  spec: { selector: selector(component), ...spec },
})

const port = (name: string, number: number, targetPort: number) => ({ name, port: number, targetPort, protocol: 'TCP' })
