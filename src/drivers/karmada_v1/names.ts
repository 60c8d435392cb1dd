/** The names of objects on the host, in the federation's API and on the members. */

/** The components of the control plane. Each gives its name to its workload, its Secret, its pods and its certificates. */
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
/** Mounted by the pods of scheduler estimators, which users run themselves. */
export const estimatorSecret = 'karmada-scheduler-estimator'

/** The label on every pod that Services select by. */
export const componentLabel = 'app.kubernetes.io/name'

/**
 * Namespaces in the federation's API. Karmada copies other namespaces to every member; these two are exempt by name, so they have
 * the same names in every federation.
 */
export const systemNamespace = 'karmada-system'
export const clusterNamespace = 'karmada-cluster'
export const executionNamespace = (member: string): string => `karmada-es-${member}`

/**
 * The longer name of a Service, for certificates. The components use the bare names (`etcd-client`): a pod's resolver tries its own
 * namespace first, so one query is enough, and the cluster's domain need not be known.
 */
export const serviceHost = (service: string, namespace: string): string => `${service}.${namespace}.svc`

export const apiServerPort = 5443

/** The name for which the API server checks the certificate of the aggregated API server. */
export const aggregatedHost = serviceHost('karmada-aggregated-apiserver', systemNamespace)

/** The user name in the administrator's certificate. */
export const adminName = 'system:admin'
