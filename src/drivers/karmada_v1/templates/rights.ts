/** In the federation's API: its namespaces, and what the usual roles may do with the engine's kinds. */
import type { KubeObject } from '../../../kube/api/object.ts'
import { clusterNamespace, systemNamespace } from '../names.ts'

export const namespaces = (): KubeObject[] =>
  [systemNamespace, clusterNamespace].map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))

const withStatus = (names: string[]) => names.flatMap(name => [name, `${name}/status`])

const namespaced = [
  { apiGroups: ['autoscaling.karmada.io'], resources: withStatus(['cronfederatedhpas', 'federatedhpas']) },
  { apiGroups: ['multicluster.x-k8s.io'], resources: withStatus(['serviceexports', 'serviceimports']) },
  { apiGroups: ['networking.karmada.io'], resources: withStatus(['multiclusteringresses', 'multiclusterservices']) },
  { apiGroups: ['policy.karmada.io'], resources: ['overridepolicies', 'propagationpolicies'] },
  { apiGroups: ['work.karmada.io'], resources: withStatus(['resourcebindings', 'works']) },
]

const clusterRole = (name: string, rules: object[], labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, labels: { 'karmada.io/system': 'true', ...labels } },
  rules,
})

const aggregate = (role: string) => ({ [`rbac.authorization.k8s.io/aggregate-to-${role}`]: 'true' })

/** `adminName`: the controllers let a user act on members only as himself, so the administrator is bound by name. */
export function rights(adminName: string): KubeObject[] {
  const verbs = (list: string[]) => namespaced.map(rule => ({ ...rule, verbs: list }))
  return [
    clusterRole('karmada-view', verbs(['get', 'list', 'watch']), aggregate('view')),
    clusterRole('karmada-edit', verbs(['create', 'update', 'patch', 'delete', 'deletecollection']), aggregate('edit')),
    clusterRole('cluster-proxy-admin', [
      { apiGroups: ['cluster.karmada.io'], resources: ['clusters/proxy'], verbs: ['*'] },
    ]),
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'cluster-proxy-admin', labels: { 'karmada.io/system': 'true' } },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-proxy-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: adminName }],
    },
  ]
}
