/** Serves the kind Cluster: an API server beside the API server, and the way from one to the other. */
import type { KubeObject } from '../../../kube/api/object.ts'
import { systemNamespace } from '../names.ts'
import { etcdFlags } from './etcd.ts'
import { kubeconfigPath } from './kubeconfigs.ts'
import { secretFolder } from './pod.ts'
import type { Checksums, Site } from './site.ts'
import { deployment } from './workload.ts'

const name = 'karmada-aggregated-apiserver'
const port = 8443

export function aggregatedApiServer(site: Site, checksums: Checksums): KubeObject[] {
  return deployment(
    {
      name,
      command: [
        `/bin/${name}`,
        `--secure-port=${port}`,
        `--kubeconfig=${kubeconfigPath}`,
        `--authentication-kubeconfig=${kubeconfigPath}`,
        `--authorization-kubeconfig=${kubeconfigPath}`,
        ...etcdFlags(site),
        `--tls-cert-file=${secretFolder}/tls.crt`,
        `--tls-private-key-file=${secretFolder}/tls.key`,
        '--tls-min-version=VersionTLS13',
      ],
      ports: { https: port },
      ready: { path: '/readyz', port, scheme: 'HTTPS' },
      alive: { path: '/livez', port, scheme: 'HTTPS' },
    },
    site,
    checksums,
  )
}

/** In the federation's API: what sends requests for clusters to it. */
export function aggregation(caBundle: string): KubeObject[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: systemNamespace },
      spec: { type: 'ExternalName', externalName: name },
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1alpha1.cluster.karmada.io' },
      spec: {
        group: 'cluster.karmada.io',
        version: 'v1alpha1',
        groupPriorityMinimum: 2000,
        versionPriority: 10,
        caBundle: `${caBundle}`,
        service: { name, namespace: systemNamespace, port: 443 },
      },
    },
  ]
}
