/** A table of the kinds that every cluster has: the plural name, and whether the kind is namespaced. */

export interface Resource {
  plural: string
  namespaced: boolean
}

const inNamespaces: Record<string, string[]> = {
  '': [
    ...['ConfigMap', 'Event', 'LimitRange', 'PersistentVolumeClaim', 'Pod', 'ReplicationController'],
    ...['ResourceQuota', 'Secret', 'Service', 'ServiceAccount', 'Endpoints:endpoints'],
  ],
  apps: ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  batch: ['CronJob', 'Job'],
  'authorization.k8s.io': ['LocalSubjectAccessReview'],
  autoscaling: ['HorizontalPodAutoscaler'],
  'coordination.k8s.io': ['Lease'],
  'discovery.k8s.io': ['EndpointSlice'],
  'events.k8s.io': ['Event'],
  'networking.k8s.io': ['Ingress:ingresses', 'NetworkPolicy:networkpolicies'],
  policy: ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io': ['Role', 'RoleBinding'],
}

const clusterWide: Record<string, string[]> = {
  '': ['Namespace', 'Node', 'PersistentVolume'],
  'admissionregistration.k8s.io': ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  'apiextensions.k8s.io': ['CustomResourceDefinition'],
  'apiregistration.k8s.io': ['APIService'],
  'authentication.k8s.io': ['SelfSubjectReview', 'TokenReview'],
  'authorization.k8s.io': ['SelfSubjectAccessReview', 'SelfSubjectRulesReview', 'SubjectAccessReview'],
  'certificates.k8s.io': ['CertificateSigningRequest'],
  'networking.k8s.io': ['IngressClass:ingressclasses'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding'],
  'scheduling.k8s.io': ['PriorityClass:priorityclasses'],
  'storage.k8s.io': ['CSIDriver', 'StorageClass:storageclasses', 'VolumeAttachment'],
}

const known = new Map<string, Resource>()
for (const [table, namespaced] of [[inNamespaces, true] as const, [clusterWide, false] as const]) {
  for (const [group, kinds] of Object.entries(table)) {
    for (const entry of kinds) {
      const [kind = '', plural = `${kind.toLowerCase()}s`] = entry.split(':')
      known.set(`${group}/${kind}`, { plural, namespaced })
    }
  }
}

export const knownResource = (group: string, kind: string): Resource | undefined => known.get(`${group}/${kind}`)
