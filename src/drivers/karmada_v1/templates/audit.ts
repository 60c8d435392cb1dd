/** What the federation's API writes down of each request: who, what and when, and never what was in it. */
import { secretFolder } from './pod.ts'
import type { Site } from './site.ts'

export const auditPolicyFile = 'audit-policy.yaml'

export const hasAudit = ({ settings }: Site): boolean => settings.audit === 'metadata'

/** To standard output: the host keeps and rotates it as it does every pod's log. */
export const auditFlags = (site: Site): string[] =>
  hasAudit(site) ? [`--audit-policy-file=${secretFolder}/${auditPolicyFile}`, '--audit-log-path=-'] : []

const component = (name: string) => `system:karmada:${name}`

/** Whatever these do is the consequence of what somebody else wrote. */
const controlPlane = [
  ...['aggregated-apiserver', 'controller-manager', 'scheduler', 'webhook'].map(component),
  'system:kube-controller-manager',
  'system:apiserver',
]

/** Left out: health checks, and what the control plane reads and renews all day, which would push the rest out of the log. */
export function auditPolicy(): string {
  const none = (rule: object) => ({ level: 'None', ...rule })
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    omitManagedFields: true,
    rules: [
      none({ nonResourceURLs: ['/healthz*', '/readyz*', '/livez*', '/version', '/openapi*', '/metrics'] }),
      none({ users: controlPlane, verbs: ['get', 'list', 'watch'] }),
      none({ users: controlPlane, resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }] }),
      none({ users: controlPlane, resources: [{ group: 'cluster.karmada.io', resources: ['clusters/status'] }] }),
      none({ resources: [{ group: '', resources: ['events'] }, { group: 'events.k8s.io' }] }),
      { level: 'Metadata' },
    ],
  }
  return `${JSON.stringify(policy, null, 2)}\n`
}
