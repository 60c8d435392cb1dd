/** etcd, where the federation's API keeps everything. */
import type { KubeObject } from '../../../kube/api/object.ts'
import { type Component, podTemplate, secretFolder, selector } from './pod.ts'
import type { Checksums, Site } from './site.ts'
import { budget, replicas } from './workload.ts'

const data = '/var/lib/etcd'

export const etcdMembers = ({ settings }: Site): string[] =>
  Array.from({ length: replicas('etcd', settings.ha) }, (_, i) => `etcd-${i}`)

const memberHost = (member: string) => `${member}.etcd`

/**
 * Several members are called by their own names, so that clients know when one is gone. One alone is called by its
 * Service: that name exists before the pod does, and no resolver remembers that it did not.
 */
function etcdServers(site: Site): string {
  const members = etcdMembers(site)
  const hosts = members.length > 1 ? members.map(memberHost) : ['etcd-client']
  return hosts.map(host => `https://${host}:2379`).join(',')
}

/** What every client of etcd says to reach it. */
export const etcdFlags = (site: Site): string[] => [
  `--etcd-servers=${etcdServers(site)}`,
  `--etcd-cafile=${secretFolder}/etcd-ca.crt`,
  `--etcd-certfile=${secretFolder}/etcd-client.crt`,
  `--etcd-keyfile=${secretFolder}/etcd-client.key`,
]

/** @param asRoot undefined: as the settings say */
export function etcd(site: Site, checksums: Checksums, asRoot?: boolean): KubeObject[] {
  const { namespace, settings } = site
  const peerUrl = (member: string) => `https://${memberHost(member)}:2380`
  const component: Component = {
    name: 'etcd',
    command: [
      'etcd',
      '--name=$(POD_NAME)',
      `--data-dir=${data}/data`, // a new volume may have a lost+found in it
      '--listen-client-urls=https://0.0.0.0:2379',
      `--advertise-client-urls=https://${memberHost('$(POD_NAME)')}:2379`,
      '--listen-peer-urls=https://0.0.0.0:2380',
      `--initial-advertise-peer-urls=${peerUrl('$(POD_NAME)')}`,
      `--initial-cluster=${etcdMembers(site)
        .map(member => `${member}=${peerUrl(member)}`)
        .join(',')}`,
      '--initial-cluster-state=new',
      `--initial-cluster-token=${namespace}`,
      '--enable-grpc-gateway=false', // it would call its own server as a client, with a certificate that is none
      '--listen-metrics-urls=http://0.0.0.0:2381',
      '--client-cert-auth=true',
      `--trusted-ca-file=${secretFolder}/etcd-ca.crt`,
      `--cert-file=${secretFolder}/tls.crt`,
      `--key-file=${secretFolder}/tls.key`,
      '--peer-client-cert-auth=true',
      `--peer-trusted-ca-file=${secretFolder}/etcd-ca.crt`,
      `--peer-cert-file=${secretFolder}/peer.crt`,
      `--peer-key-file=${secretFolder}/peer.key`,
      '--auto-compaction-mode=periodic',
      '--auto-compaction-retention=1h',
      '--snapshot-count=10000',
    ],
    ports: { client: 2379, peer: 2380, metrics: 2381 },
    ready: { path: '/readyz', port: 2381, scheme: 'HTTP' },
    alive: { path: '/livez', port: 2381, scheme: 'HTTP' },
    mounts: [{ name: 'data', mountPath: data }],
    ...(settings.storage === 'emptydir' ? { volumes: [{ name: 'data', emptyDir: {} }] } : {}),
    asRoot: asRoot === true || settings.etcdUser === undefined || settings.etcdUser === 'root',
  }
  const object: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'etcd', namespace, labels: selector('etcd') },
    spec: {
      replicas: etcdMembers(site).length,
      serviceName: 'etcd',
      // one by one, the first would wait for a majority that is not there yet
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: selector('etcd') },
      template: podTemplate(component, site, checksums),
      ...(settings.storage === 'pvc' ? { volumeClaimTemplates: [claim(site)] } : {}),
    },
  }
  return [object, ...budget('etcd', site)]
}

const claim = ({ settings, labels }: Site): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', labels: { ...labels } },
  spec: {
    accessModes: ['ReadWriteOnce'],
    volumeMode: 'Filesystem',
    ...(settings.storageClass ? { storageClassName: settings.storageClass } : {}),
    resources: { requests: { storage: settings.storageSize } },
  },
})
