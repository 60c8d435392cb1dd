/** What things are called: on the host, in the federation's own API, on the members. */

/** The parts of the control plane: each names its workload, its Secret, its pods and its part of the certificates. */
export const components = [
  'etcd',
  'karmada-apiserver',
  'karmada-aggregated-apiserver',
  'kube-controller-manager',
  'karmada-controller-manager',
  'karmada-scheduler',
  'karmada-webhook',
] as const

export type ComponentName = (typeof components)[number]

/** Secrets that no pod mounts. */
export const authoritiesSecret = 'certificate-authorities'
export const adminSecret = 'admin-kubeconfig'
/** For estimators that somebody runs beside the scheduler: their pods mount it. */
export const estimatorSecret = 'karmada-scheduler-estimator'

/** On every pod, and what Services select by. */
export const componentLabel = 'app.kubernetes.io/name'

/**
 * In the federation's API. Other namespaces there are copied to every member with all that is in them; these two are
 * exempt, so they keep their names whatever the namespace on the host is called.
 */
export const systemNamespace = 'karmada-system'
export const clusterNamespace = 'karmada-cluster'
export const executionNamespace = (member: string): string => `karmada-es-${member}`

/**
 * The control plane calls its Services by their bare names (`etcd-client`): the resolver of a pod tries its own namespace
 * first, so one question is enough and nobody has to know the cluster's domain. This is the longer name, for certificates.
 */
export const serviceHost = (service: string, namespace: string): string => `${service}.${namespace}.svc`

export const apiServerPort = 5443

/** The name that the API server checks the aggregated one's certificate for. */
export const aggregatedHost = serviceHost('karmada-aggregated-apiserver', systemNamespace)

/** Whom the administrator's certificate names. */
export const adminName = 'system:admin'
