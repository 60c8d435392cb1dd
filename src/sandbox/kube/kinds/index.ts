import {
  configMapRules,
  leaseRules,
  namespaceRules,
  persistentVolumeClaimRules,
  podDisruptionBudgetRules,
  roleBindingRules,
  secretRules,
  storageClassRules,
} from './configuration.ts'
import { apiServiceRules, crdRules, webhookConfigurationRules } from './extension.ts'
import type { KindRules } from './rules.ts'
import { serviceRules } from './service.ts'
import { deploymentRules, jobRules, podRules, replicaSetRules, statefulSetRules } from './workloads.ts'

/** By resource; objects of other resources are stored unchanged. */
export const kindRules: Readonly<Record<string, KindRules>> = {
  namespaces: namespaceRules,
  configmaps: configMapRules,
  secrets: secretRules,
  services: serviceRules,
  pods: podRules,
  persistentvolumeclaims: persistentVolumeClaimRules,
  'deployments.apps': deploymentRules,
  'replicasets.apps': replicaSetRules,
  'statefulsets.apps': statefulSetRules,
  'daemonsets.apps': { generation: true },
  'jobs.batch': jobRules,
  'ingresses.networking.k8s.io': { generation: true },
  'networkpolicies.networking.k8s.io': { generation: true },
  'storageclasses.storage.k8s.io': storageClassRules,
  'leases.coordination.k8s.io': leaseRules,
  'poddisruptionbudgets.policy': podDisruptionBudgetRules,
  'rolebindings.rbac.authorization.k8s.io': roleBindingRules,
  'clusterrolebindings.rbac.authorization.k8s.io': roleBindingRules,
  'customresourcedefinitions.apiextensions.k8s.io': crdRules,
  'apiservices.apiregistration.k8s.io': apiServiceRules,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhookConfigurationRules,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhookConfigurationRules,
}
