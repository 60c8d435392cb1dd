/** Which certificates there are, and what each may do. No two components share one; what is not listed does not exist. */
import { isIP } from 'node:net'
import { adminName, adminSecret, aggregatedHost, type ComponentName, estimatorSecret, serviceHost } from '../names.ts'

export const authorities = ['ca', 'etcd-ca', 'front-proxy-ca'] as const
export type Authority = (typeof authorities)[number]

export const authorityNames: Record<Authority, string> = {
  ca: 'karmada',
  'etcd-ca': 'karmada-etcd',
  'front-proxy-ca': 'karmada-front-proxy',
}

export type SecretName = ComponentName | typeof adminSecret | typeof estimatorSecret

export interface Leaf {
  /** The Secret it is kept in, with `.crt` and `.key` of this name. */
  secret: SecretName
  file: 'tls' | 'peer' | 'client' | 'etcd-client' | 'front-proxy-client'
  authority: Authority
  commonName: string
  organizations?: string[]
  /** DNS names and IP addresses that it must be good for. */
  names?: string[]
  /** Added when it is made; it is not made anew because one of these changed. */
  alsoNames?: string[]
  usages: ('serverAuth' | 'clientAuth')[]
}

export interface CertificateNeeds {
  namespace: string
  members: number
  /** By which users reach the API. */
  address: string
  /** Others of the same API, such as the addresses of further nodes. */
  otherAddresses: string[]
  /** Somebody runs estimators beside the scheduler. */
  estimators?: boolean
}

const masters = ['system:masters']
const loopback = ['localhost', '127.0.0.1']

export function leaves({ namespace, members, address, otherAddresses, estimators }: CertificateNeeds): Leaf[] {
  const host = (service: string) => serviceHost(service, namespace)
  const both = (service: string) => [service, host(service)]
  const etcdMembers = Array.from({ length: members }, (_, i) => both(`etcd-${i}.etcd`)).flat()
  const etcdNames = [...etcdMembers, ...both('etcd-client'), ...loopback]
  const server = { authority: 'ca', usages: ['serverAuth'] } as const
  const client = { authority: 'ca', file: 'client', usages: ['clientAuth'] } as const
  const toEtcd = { authority: 'etcd-ca', file: 'etcd-client', usages: ['clientAuth'] } as const
  const own = (component: ComponentName) => `system:karmada:${component.replace(/^karmada-/, '')}`
  const all: (Omit<Leaf, 'usages'> & { usages: readonly Leaf['usages'][number][] })[] = [
    { secret: 'etcd', file: 'tls', authority: 'etcd-ca', commonName: 'etcd', names: etcdNames, usages: ['serverAuth'] },
    {
      secret: 'etcd',
      file: 'peer',
      authority: 'etcd-ca',
      commonName: 'etcd-peer',
      names: etcdNames,
      usages: ['serverAuth', 'clientAuth'], // members call each other
    },
    {
      ...server,
      secret: 'karmada-apiserver',
      file: 'tls',
      commonName: 'karmada-apiserver',
      names: [address, ...both('karmada-apiserver'), 'kubernetes.default.svc', ...loopback],
      alsoNames: otherAddresses,
    },
    { ...toEtcd, secret: 'karmada-apiserver', commonName: 'karmada-apiserver' },
    {
      secret: 'karmada-apiserver',
      file: 'front-proxy-client',
      authority: 'front-proxy-ca',
      commonName: 'front-proxy-client',
      usages: ['clientAuth'],
    },
    {
      ...server,
      secret: 'karmada-aggregated-apiserver',
      file: 'tls',
      commonName: 'karmada-aggregated-apiserver',
      names: [aggregatedHost, ...both('karmada-aggregated-apiserver'), ...loopback],
    },
    { ...toEtcd, secret: 'karmada-aggregated-apiserver', commonName: 'karmada-aggregated-apiserver' },
    {
      ...client,
      secret: 'karmada-aggregated-apiserver',
      commonName: own('karmada-aggregated-apiserver'),
      organizations: masters,
    },
    // the one component for which Kubernetes has a role of its own
    { ...client, secret: 'kube-controller-manager', commonName: 'system:kube-controller-manager' },
    {
      ...client,
      secret: 'karmada-controller-manager',
      commonName: own('karmada-controller-manager'),
      organizations: masters,
    },
    { ...client, secret: 'karmada-scheduler', commonName: own('karmada-scheduler'), organizations: masters },
    { ...client, secret: 'karmada-webhook', commonName: own('karmada-webhook'), organizations: masters },
    {
      ...server,
      secret: 'karmada-webhook',
      file: 'tls',
      commonName: 'karmada-webhook',
      names: [...both('karmada-webhook'), ...loopback],
    },
    { ...client, secret: adminSecret, commonName: adminName, organizations: masters },
    ...(estimators ? [estimatorLeaf(namespace)] : []),
  ]
  return all.map(leaf => ({ ...leaf, usages: [...leaf.usages] }))
}

/** One for all of them: the scheduler calls each by a name of its own in the same namespace. */
const estimatorLeaf = (namespace: string): Leaf => ({
  secret: estimatorSecret,
  file: 'tls',
  authority: 'ca',
  commonName: estimatorSecret,
  names: [`*.${namespace}.svc.cluster.local`, `*.${namespace}.svc`],
  usages: ['serverAuth'],
})

/** Sorted apart, as certificates keep them. */
export const splitNames = (names: readonly string[]): { dnsNames: string[]; ipAddresses: string[] } => ({
  dnsNames: names.filter(name => !isIP(name)),
  ipAddresses: names.filter(name => isIP(name)),
})

/** What else a Secret holds: certificates of authorities, and the keys of ServiceAccount tokens. Never an authority's key. */
export const alsoHolds: Record<SecretName, readonly string[]> = {
  etcd: ['etcd-ca.crt'],
  'karmada-apiserver': ['ca.crt', 'etcd-ca.crt', 'front-proxy-ca.crt', 'service-account.key', 'service-account.pub'],
  'karmada-aggregated-apiserver': ['ca.crt', 'etcd-ca.crt'],
  'kube-controller-manager': ['ca.crt', 'service-account.key'],
  'karmada-controller-manager': ['ca.crt'],
  'karmada-scheduler': ['ca.crt'],
  'karmada-webhook': ['ca.crt'],
  [adminSecret]: ['ca.crt'],
  [estimatorSecret]: ['ca.crt'],
}
