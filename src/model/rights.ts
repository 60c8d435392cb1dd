/** What somebody must be allowed to do on a cluster, in RBAC's words. Asked before the first write, shown in docs/rbac.md. */
export interface Right {
  /** The core group when absent. */
  group?: string
  /** Plural, with a subresource where one is meant: `pods/log`. */
  resource: string
  verbs: readonly string[]
  /** Objects of these names alone. */
  names?: readonly string[]
  /** Cluster-wide when absent. */
  namespace?: string
  why: string
  /** Without it things are done all the same, and less is told about them. */
  optional?: boolean
  /** Only for this: `--ha`. */
  when?: string
}

/** By what somebody is to do with a federation; each has those before it as well. */
export interface FederationRights {
  /** list, show, status, members */
  look: readonly Right[]
  /** join, unjoin, update, kubeconfig */
  manage: readonly Right[]
  /** create, delete */
  own: readonly Right[]
}
