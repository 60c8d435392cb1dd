/** Karmada's fixed names. */
export const bootstrapIds = {
  clusters: 'clusters.cluster.karmada.io',
  clusterGroupVersion: 'cluster.karmada.io/v1alpha1',
  clusterApiService: 'v1alpha1.cluster.karmada.io',
  works: 'works.work.karmada.io',
  bindings: 'resourcebindings.work.karmada.io',
  clusterBindings: 'clusterresourcebindings.work.karmada.io',
  policies: 'propagationpolicies.policy.karmada.io',
  clusterPolicies: 'clusterpropagationpolicies.policy.karmada.io',
} as const

export const finalizers = {
  cluster: 'karmada.io/cluster-controller',
  work: 'karmada.io/execution-controller',
  binding: 'karmada.io/binding-controller',
} as const

export const managedLabel = 'karmada.io/managed'
export const executionPrefix = 'karmada-es-'
export const executionNamespace = (cluster: string): string => `${executionPrefix}${cluster}`

/** Never sent to members. */
export const isReservedNamespace = (name: string): boolean =>
  name === 'default' || /^(kube-|karmada-es-)/.test(name) || name === 'karmada-system' || name === 'karmada-cluster'

/** FNV-1a in 32 bits, for the names of Works; it only needs to be stable here. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash.toString(36)
}
