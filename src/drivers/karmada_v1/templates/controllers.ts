/** What makes things happen in the federation: controllers, scheduler, and the controllers of plain Kubernetes that it needs. */
import type { KubeObject } from '../../../kube/api/object.ts'
import { systemNamespace } from '../names.ts'
import { kubeconfigPath } from './kubeconfigs.ts'
import { metricsOf, secretFolder } from './pod.ts'
import type { Checksums, Site } from './site.ts'
import { deployment } from './workload.ts'

const election = ['--leader-elect=true', `--leader-elect-resource-namespace=${systemNamespace}`]

/** Not those of workloads: what is written into the federation's API is a template, and must not start anything there. */
const plainControllers = [
  'namespace',
  'garbagecollector',
  'serviceaccount-token',
  'ttl-after-finished',
  'clusterrole-aggregation',
]

export function kubeControllerManager(site: Site, checksums: Checksums): KubeObject[] {
  return deployment(
    {
      name: 'kube-controller-manager',
      command: [
        'kube-controller-manager',
        `--kubeconfig=${kubeconfigPath}`,
        `--authentication-kubeconfig=${kubeconfigPath}`,
        `--authorization-kubeconfig=${kubeconfigPath}`,
        `--controllers=${plainControllers.join(',')}`,
        `--client-ca-file=${secretFolder}/ca.crt`,
        `--root-ca-file=${secretFolder}/ca.crt`,
        `--service-account-private-key-file=${secretFolder}/service-account.key`,
        '--use-service-account-credentials=true',
        ...election,
      ],
      ports: { https: 10257 },
      ready: { path: '/healthz', port: 10257, scheme: 'HTTPS' },
    },
    site,
    checksums,
  )
}

export function controllerManager(site: Site, checksums: Checksums): KubeObject[] {
  const metrics = metricsOf(site)
  return deployment(
    {
      name: 'karmada-controller-manager',
      command: [
        '/bin/karmada-controller-manager',
        `--kubeconfig=${kubeconfigPath}`,
        '--cluster-status-update-frequency=10s',
        '--health-probe-bind-address=:10357',
        metrics.flag,
        ...election,
      ],
      ports: { health: 10357, ...metrics.ports },
      ready: { path: '/healthz', port: 10357, scheme: 'HTTP' },
    },
    site,
    checksums,
  )
}

/**
 * Estimators that somebody runs beside the scheduler, as Services `karmada-scheduler-estimator-MEMBER`. Only on demand: the
 * scheduler looks for one of each member before it places anything, ten seconds for each that has none.
 */
const estimators = ({ namespace }: Site): string[] => [
  '--enable-scheduler-estimator=true',
  `--scheduler-estimator-service-namespace=${namespace}`,
  `--scheduler-estimator-ca-file=${secretFolder}/ca.crt`,
  `--scheduler-estimator-cert-file=${secretFolder}/client.crt`,
  `--scheduler-estimator-key-file=${secretFolder}/client.key`,
]

export function scheduler(site: Site, checksums: Checksums): KubeObject[] {
  const metrics = metricsOf(site)
  return deployment(
    {
      name: 'karmada-scheduler',
      command: [
        '/bin/karmada-scheduler',
        `--kubeconfig=${kubeconfigPath}`,
        '--health-probe-bind-address=:10351',
        metrics.flag,
        ...(site.settings.schedulerEstimator ? estimators(site) : []),
        ...election,
      ],
      ports: { health: 10351, ...metrics.ports },
      ready: { path: '/healthz', port: 10351, scheme: 'HTTP' },
    },
    site,
    checksums,
  )
}
