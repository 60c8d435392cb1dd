/** The federation's API server: Kubernetes' own, on an etcd of its own, with no nodes behind it. */
import type { KubeObject } from '../../../kube/api/object.ts'
import { apiServerPort } from '../names.ts'
import { auditFlags } from './audit.ts'
import { etcdFlags } from './etcd.ts'
import { secretFolder } from './pod.ts'
import type { Checksums, Site } from './site.ts'
import { deployment } from './workload.ts'

const frontProxy = [
  `--proxy-client-cert-file=${secretFolder}/front-proxy-client.crt`,
  `--proxy-client-key-file=${secretFolder}/front-proxy-client.key`,
  `--requestheader-client-ca-file=${secretFolder}/front-proxy-ca.crt`,
  '--requestheader-allowed-names=front-proxy-client',
  '--requestheader-username-headers=X-Remote-User',
  '--requestheader-group-headers=X-Remote-Group',
  '--requestheader-extra-headers-prefix=X-Remote-Extra-',
]

const serviceAccounts = [
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-account-key-file=${secretFolder}/service-account.pub`,
  `--service-account-signing-key-file=${secretFolder}/service-account.key`,
]

export function apiServer(site: Site, checksums: Checksums): KubeObject[] {
  return deployment(
    {
      name: 'karmada-apiserver',
      command: [
        'kube-apiserver',
        `--secure-port=${apiServerPort}`,
        `--tls-cert-file=${secretFolder}/tls.crt`,
        `--tls-private-key-file=${secretFolder}/tls.key`,
        '--tls-min-version=VersionTLS13',
        `--client-ca-file=${secretFolder}/ca.crt`,
        '--authorization-mode=RBAC',
        '--allow-privileged=true',
        // templates of workloads name accounts and volumes that only members have
        '--disable-admission-plugins=StorageObjectInUseProtection,ServiceAccount',
        '--service-cluster-ip-range=10.96.0.0/12',
        ...etcdFlags(site),
        ...frontProxy,
        ...serviceAccounts,
        ...auditFlags(site),
      ],
      ports: { https: apiServerPort },
      ready: { path: '/readyz', port: apiServerPort, scheme: 'HTTPS' },
      alive: { path: '/livez', port: apiServerPort, scheme: 'HTTPS' },
      capabilities: ['NET_BIND_SERVICE'],
    },
    site,
    checksums,
  )
}
