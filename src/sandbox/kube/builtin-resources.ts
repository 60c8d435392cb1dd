import { allVerbs, type ResourceType } from './resource-types.ts'

/** Rows of: kind, plural (or empty for kind + s), short names, subresources. A leading `*` of the kind: no namespace. */
type Row = [kind: string, plural?: string, shortNames?: string, subresources?: string]

function rows(group: string, version: string, list: Row[], verbs: string[] = allVerbs): ResourceType[] {
  return list.map(([marked, plural, shortNames, subresources]) => {
    const kind = marked.replace('*', '')
    const singular = kind.toLowerCase()
    return {
      group,
      version,
      kind,
      singular,
      plural: plural || `${singular}s`,
      namespaced: !marked.startsWith('*'),
      shortNames: shortNames ? shortNames.split(' ') : [],
      subresources: subresources ? subresources.split(' ') : [],
      verbs,
      builtin: true,
    }
  })
}

export const builtinResources: readonly ResourceType[] = [
  ...rows(
    '',
    'v1',
    [['*Namespace', '', 'ns', 'status finalize']],
    allVerbs.filter(verb => verb !== 'deletecollection'), // namespaces can only be deleted one by one
  ),
  ...rows('', 'v1', [
    ['ConfigMap', '', 'cm'],
    ['Secret'],
    ['Service', '', 'svc', 'status'],
    ['ServiceAccount', '', 'sa', 'token'],
    ['Pod', '', 'po', 'status log'],
    ['Event', '', 'ev'],
    ['PersistentVolumeClaim', '', 'pvc', 'status'],
    ['*PersistentVolume', '', 'pv', 'status'],
    ['*Node', '', 'no', 'status'],
    ['Endpoints', 'endpoints', 'ep'],
    ['LimitRange', '', 'limits'],
    ['ResourceQuota', '', 'quota', 'status'],
  ]),
  ...rows('apps', 'v1', [
    ['Deployment', '', 'deploy', 'status scale'],
    ['StatefulSet', '', 'sts', 'status scale'],
    ['ReplicaSet', '', 'rs', 'status scale'],
    ['DaemonSet', '', 'ds', 'status'],
  ]),
  ...rows('batch', 'v1', [['Job', '', '', 'status']]),
  ...rows('policy', 'v1', [['PodDisruptionBudget', '', 'pdb', 'status']]),
  ...rows('rbac.authorization.k8s.io', 'v1', [['Role'], ['RoleBinding'], ['*ClusterRole'], ['*ClusterRoleBinding']]),
  ...rows('coordination.k8s.io', 'v1', [['Lease']]),
  ...rows('discovery.k8s.io', 'v1', [['EndpointSlice']]),
  ...rows('networking.k8s.io', 'v1', [
    ['NetworkPolicy', 'networkpolicies', 'netpol'],
    ['Ingress', 'ingresses', 'ing', 'status'],
  ]),
  ...rows('storage.k8s.io', 'v1', [['*StorageClass', 'storageclasses', 'sc']]),
  ...rows('scheduling.k8s.io', 'v1', [['*PriorityClass', 'priorityclasses', 'pc']]),
  ...rows('admissionregistration.k8s.io', 'v1', [
    ['*MutatingWebhookConfiguration'],
    ['*ValidatingWebhookConfiguration'],
  ]),
  ...rows('apiregistration.k8s.io', 'v1', [['*APIService', '', '', 'status']]),
  ...rows('apiextensions.k8s.io', 'v1', [['*CustomResourceDefinition', '', 'crd crds', 'status']]),
  ...rows(
    'authorization.k8s.io',
    'v1',
    [['*SelfSubjectAccessReview'], ['*SelfSubjectRulesReview'], ['*SubjectAccessReview'], ['LocalSubjectAccessReview']],
    ['create'],
  ),
  ...rows('authentication.k8s.io', 'v1', [['*TokenReview'], ['*SelfSubjectReview']], ['create']),
]
