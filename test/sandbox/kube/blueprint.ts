/** The smallest Karmada control plane that works, applied to a host by hand. */
import { createCa, issue } from '../../../src/pki/certificates.ts'
import { generateKey, type KeyPair, privateKeyPem, publicKeyPem } from '../../../src/pki/keys.ts'
import type { KubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { adminOf, type Client, clientOf, condition } from './client.ts'

export const space = 'fed'
const folder = '/pki'

type Files = Record<string, string>
export interface Pki {
  ca: string
  /** By Secret. */
  secrets: Record<string, Files>
  admin: { certificate: string; key: string }
}

async function authority(name: string) {
  const pair = await generateKey()
  const certificate = createCa({ subject: [['CN', name]], now: Date.now(), days: 10 }, pair.privateKey)
  const leaf = async (cn: string, names: string[], use: 'serverAuth' | 'clientAuth', organization?: string) => {
    const key = await generateKey()
    const subject = [...(organization ? [['O', organization] as const] : []), ['CN', cn] as const]
    const ips = names.filter(n => /^\d+\.\d+\.\d+\.\d+$/.test(n))
    const profile = {
      subject,
      now: Date.now(),
      days: 10,
      usages: ['digitalSignature'] as const,
      extendedUsages: [use],
      dnsNames: names.filter(n => !ips.includes(n)),
      ipAddresses: ips,
    }
    return {
      certificate: issue(profile, key.publicKey, { certificate, key: pair.privateKey }),
      key: privateKeyPem(key.privateKey),
    }
  }
  return { certificate, leaf }
}

const svc = (name: string) => `${name}.${space}.svc`

export async function makePki(address: string): Promise<Pki> {
  const ca = await authority('karmada')
  const etcdCa = await authority('etcd-ca')
  const accounts: KeyPair = await generateKey()
  const etcd = await etcdCa.leaf(
    'etcd',
    [svc('etcd-client'), `etcd-0.${svc('etcd')}`, `etcd-1.${svc('etcd')}`, `etcd-2.${svc('etcd')}`],
    'serverAuth',
  )
  const toEtcd = await etcdCa.leaf('client', [], 'clientAuth')
  const server = await ca.leaf('karmada-apiserver', [address, svc('karmada-apiserver')], 'serverAuth')
  const aggregated = await ca.leaf('aggregated', ['karmada-aggregated-apiserver.karmada-system.svc'], 'serverAuth')
  const webhook = await ca.leaf('webhook', [svc('karmada-webhook')], 'serverAuth')
  const admin = await ca.leaf('system:admin', [], 'clientAuth', 'system:masters')
  const kubeconfig = JSON.stringify({
    'current-context': 'x',
    contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
    clusters: [
      {
        name: 'x',
        cluster: { server: `https://${svc('karmada-apiserver')}:5443`, 'certificate-authority': `${folder}/ca.crt` },
      },
    ],
    users: [
      { name: 'x', user: { 'client-certificate': `${folder}/client.crt`, 'client-key': `${folder}/client.key` } },
    ],
  })
  const common: Files = {
    'ca.crt': ca.certificate,
    'etcd-ca.crt': etcdCa.certificate,
    'etcd-client.crt': toEtcd.certificate,
    'etcd-client.key': toEtcd.key,
    'client.crt': admin.certificate,
    'client.key': admin.key,
    'sa.key': privateKeyPem(accounts.privateKey),
    'sa.pub': publicKeyPem(accounts.publicKey),
    kubeconfig,
  }
  const pair = (of: { certificate: string; key: string }): Files => ({
    ...common,
    'tls.crt': of.certificate,
    'tls.key': of.key,
  })
  return {
    ca: ca.certificate,
    admin,
    secrets: {
      etcd: pair(etcd),
      'karmada-apiserver': pair(server),
      'karmada-aggregated-apiserver': pair(aggregated),
      'karmada-webhook': pair(webhook),
      'kube-controller-manager': common,
      'karmada-controller-manager': common,
      'karmada-scheduler': common,
    },
  }
}

const etcdFlags = (servers = `https://${svc('etcd-client')}:2379`) => [
  `--etcd-servers=${servers}`,
  `--etcd-cafile=${folder}/etcd-ca.crt`,
  `--etcd-certfile=${folder}/etcd-client.crt`,
  `--etcd-keyfile=${folder}/etcd-client.key`,
]
const tls = [`--tls-cert-file=${folder}/tls.crt`, `--tls-private-key-file=${folder}/tls.key`]
const config = `--kubeconfig=${folder}/kubeconfig`

export const commands: Record<string, string[]> = {
  etcd: [
    'etcd',
    '--data-dir=/data',
    `--cert-file=${folder}/tls.crt`,
    `--key-file=${folder}/tls.key`,
    `--trusted-ca-file=${folder}/etcd-ca.crt`,
  ],
  'karmada-apiserver': [
    'kube-apiserver',
    '--secure-port=5443',
    ...tls,
    ...etcdFlags(),
    `--client-ca-file=${folder}/ca.crt`,
    `--service-account-key-file=${folder}/sa.pub`,
    `--service-account-signing-key-file=${folder}/sa.key`,
    '--tls-min-version=VersionTLS13',
  ],
  'karmada-aggregated-apiserver': [
    '/bin/karmada-aggregated-apiserver',
    '--secure-port=8443',
    config,
    ...tls,
    ...etcdFlags(),
  ],
  'kube-controller-manager': [
    'kube-controller-manager',
    config,
    '--controllers=namespace,garbagecollector,serviceaccount-token',
    `--service-account-private-key-file=${folder}/sa.key`,
    `--root-ca-file=${folder}/ca.crt`,
  ],
  'karmada-controller-manager': ['/bin/karmada-controller-manager', config],
  'karmada-scheduler': ['/bin/karmada-scheduler', config],
  'karmada-webhook': ['/bin/karmada-webhook', config, `--cert-dir=${folder}`],
}

const ports: Record<string, [service: string, port: number, target: number, type: string]> = {
  etcd: ['etcd-client', 2379, 2379, 'ClusterIP'],
  'karmada-apiserver': ['karmada-apiserver', 5443, 5443, 'NodePort'],
  'karmada-aggregated-apiserver': ['karmada-aggregated-apiserver', 443, 8443, 'ClusterIP'],
  'karmada-webhook': ['karmada-webhook', 443, 8443, 'ClusterIP'],
}

export function workload(name: string, command = commands[name] as string[]): object {
  const labels = { app: name }
  const isEtcd = name === 'etcd'
  const mounts = [{ name: 'pki', mountPath: folder }, ...(isEtcd ? [{ name: 'data', mountPath: '/data' }] : [])]
  return {
    apiVersion: 'apps/v1',
    kind: isEtcd ? 'StatefulSet' : 'Deployment',
    metadata: { name, namespace: space },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name, image: `example/${name}:v1.35.2`, command, volumeMounts: mounts }],
          volumes: [{ name: 'pki', secret: { secretName: name } }],
        },
      },
      ...(isEtcd
        ? {
            serviceName: 'etcd',
            volumeClaimTemplates: [
              {
                metadata: { name: 'data' },
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
              },
            ],
          }
        : {}),
    },
  }
}

const b64 = (text: string) => Buffer.from(text).toString('base64')
export const secret = (name: string, files: Files, namespace = space) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  data: Object.fromEntries(Object.entries(files).map(([key, text]) => [key, b64(text)])),
})

const crds: [plural: string, kind: string, group: string, version: string, scope: string][] = [
  ['works', 'Work', 'work', 'v1alpha1', 'Namespaced'],
  ['resourcebindings', 'ResourceBinding', 'work', 'v1alpha2', 'Namespaced'],
  ['clusterresourcebindings', 'ClusterResourceBinding', 'work', 'v1alpha2', 'Cluster'],
  ['propagationpolicies', 'PropagationPolicy', 'policy', 'v1alpha1', 'Namespaced'],
  ['clusterpropagationpolicies', 'ClusterPropagationPolicy', 'policy', 'v1alpha1', 'Cluster'],
]

export interface Federation {
  api: Client
  url: string
  host: Client
  pki: Pki
}

export const workloads = `/apis/apps/v1/namespaces/${space}`
const kindOf = (name: string) => (name === 'etcd' ? 'statefulsets' : 'deployments')

/** Makes Services and Secrets, and returns the API's future address. */
export async function prepare(sandbox: KubeSandbox): Promise<{ host: Client; pki: Pki; url: string }> {
  const host = await adminOf(sandbox.host)
  await host.post('/api/v1/namespaces', { kind: 'Namespace', metadata: { name: space } })
  let nodePort = 0
  for (const [app, [name, port, targetPort, type]] of Object.entries(ports)) {
    const made = await host.post(`/api/v1/namespaces/${space}/services`, {
      kind: 'Service',
      metadata: { name },
      spec: { type, selector: { app }, ports: [{ port, targetPort }] },
    })
    if (type === 'NodePort') nodePort = made.body.spec.ports[0].nodePort
  }
  const node = (await host.get('/api/v1/nodes')).body.items[0].status.addresses[0].address
  const pki = await makePki(node)
  for (const [name, files] of Object.entries(pki.secrets))
    await host.post(`/api/v1/namespaces/${space}/secrets`, secret(name, files))
  return { host, pki, url: `https://${node}:${nodePort}` }
}

export const start = (host: Client, name: string, command?: string[]) =>
  host.post(`${workloads}/${kindOf(name)}`, workload(name, command))
export const isUp = (host: Client, name: string) =>
  host.until(`${workloads}/${kindOf(name)}/${name}`, r => r.body.status?.readyReplicas === 1)

/** Sets up a complete federation, ready for members. */
export async function raise(sandbox: KubeSandbox): Promise<Federation> {
  const { host, pki, url } = await prepare(sandbox)
  for (const name of Object.keys(commands)) await start(host, name)
  await isUp(host, 'karmada-apiserver')
  const api = clientOf({ url, ca: pki.ca, credentials: pki.admin })
  for (const name of ['karmada-system', 'karmada-cluster'])
    await api.post('/api/v1/namespaces', { kind: 'Namespace', metadata: { name } })
  await api.post('/api/v1/namespaces/karmada-system/services', {
    kind: 'Service',
    metadata: { name: 'karmada-aggregated-apiserver' },
    spec: { type: 'ExternalName', externalName: svc('karmada-aggregated-apiserver') },
  })
  await isUp(host, 'karmada-aggregated-apiserver')
  await api.post('/apis/apiregistration.k8s.io/v1/apiservices', {
    kind: 'APIService',
    metadata: { name: 'v1alpha1.cluster.karmada.io' },
    spec: {
      group: 'cluster.karmada.io',
      version: 'v1alpha1',
      groupPriorityMinimum: 2000,
      versionPriority: 10,
      caBundle: b64(pki.ca),
      service: { name: 'karmada-aggregated-apiserver', namespace: 'karmada-system', port: 443 },
    },
  })
  for (const [plural, kind, group, version, scope] of crds) {
    await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}.karmada.io` },
      spec: {
        group: `${group}.karmada.io`,
        scope,
        names: { plural, kind },
        versions: [
          {
            name: version,
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object' } },
            subresources: { status: {} },
          },
        ],
      },
    })
  }
  await isUp(host, 'karmada-webhook')
  await api.post('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', mutating(pki.ca))
  for (const name of Object.keys(commands)) await isUp(host, name)
  await api.until(
    '/apis/apiregistration.k8s.io/v1/apiservices/v1alpha1.cluster.karmada.io',
    r => condition(r, 'Available')?.status === 'True',
  )
  return { api, url, host, pki }
}

export const mutating = (ca: string) => ({
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'mutating-config' },
  webhooks: [
    ['propagationpolicies', 'policy', '/mutate-propagationpolicy'],
    ['resourcebindings', 'work', '/mutate-resourcebinding'],
    ['works', 'work', '/mutate-work'],
  ].map(([resource, group, path]) => ({
    name: `${resource}.karmada.io`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 3,
    clientConfig: { url: `https://${svc('karmada-webhook')}:443${path}`, caBundle: b64(ca) },
    rules: [
      {
        apiGroups: [`${group}.karmada.io`],
        apiVersions: ['*'],
        resources: [resource],
        operations: ['CREATE', 'UPDATE'],
      },
    ],
  })),
})

export const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters'
const rbac = '/apis/rbac.authorization.k8s.io/v1'
export const memberRole = (name: string) => `karmada-controller-manager:karmada-${name}`

/** Joins a member in push mode, with its own service account there. */
export async function join(
  sandbox: KubeSandbox,
  { api }: Federation,
  name: string,
  change: { token?: string; ca?: string } = {},
): Promise<void> {
  const cluster = sandbox.cluster(name)
  const member = await adminOf(cluster)
  const place = '/api/v1/namespaces/karmada-cluster'
  await member.post('/api/v1/namespaces', { kind: 'Namespace', metadata: { name: 'karmada-cluster' } })
  const tokens: string[] = []
  for (const account of [`karmada-${name}`, 'karmada-impersonator']) {
    await member.post(`${place}/serviceaccounts`, { kind: 'ServiceAccount', metadata: { name: account } })
    await member.post(`${place}/secrets`, {
      kind: 'Secret',
      type: 'kubernetes.io/service-account-token',
      metadata: { name: account, annotations: { 'kubernetes.io/service-account.name': account } },
    })
    const { body } = await member.until(`${place}/secrets/${account}`, r => r.body.data?.token)
    tokens.push(Buffer.from(body.data.token, 'base64').toString())
  }
  const everything = [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['get'] },
  ]
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: memberRole(name) }
  await member.post(`${rbac}/clusterroles`, {
    kind: 'ClusterRole',
    metadata: { name: roleRef.name },
    rules: everything,
  })
  const subjects = [{ kind: 'ServiceAccount', name: `karmada-${name}`, namespace: 'karmada-cluster' }]
  await member.post(`${rbac}/clusterrolebindings`, {
    kind: 'ClusterRoleBinding',
    metadata: { name: roleRef.name },
    roleRef,
    subjects,
  })
  const files = { token: change.token ?? (tokens[0] as string), caBundle: change.ca ?? cluster.caCertificate }
  await api.post(`${place}/secrets`, secret(name, files, 'karmada-cluster'))
  await api.post(`${place}/secrets`, secret(`${name}-impersonator`, { token: tokens[1] as string }, 'karmada-cluster'))
  const made = await api.post(clusters, {
    kind: 'Cluster',
    metadata: { name },
    spec: {
      id: (await member.get('/api/v1/namespaces/kube-system')).body.metadata.uid,
      syncMode: 'Push',
      apiEndpoint: cluster.url,
      secretRef: { namespace: 'karmada-cluster', name },
      impersonatorSecretRef: { namespace: 'karmada-cluster', name: `${name}-impersonator` },
    },
  })
  if (made.status !== 201) throw new Error(`the Cluster was not taken: ${JSON.stringify(made.body)}`)
}
