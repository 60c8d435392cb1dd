/** RBAC rights that a user needs on a cluster. coe checks them before the first write; docs/rbac.md lists them. */
export interface Right {
  /** The core group when absent. */
  group?: string
  /** Plural, with a subresource where one is meant: `pods/log`. */
  resource: string
  verbs: readonly string[]
  /** Only for objects of these names. */
  names?: readonly string[]
  /** Cluster-wide when absent. */
  namespace?: string
  why: string
  /** Without it, the work is done all the same, with less detail in the output. */
  optional?: boolean
  /** Needed only for this option: `--ha`. */
  when?: string
}

/** Rights by what a user does with a federation; each level includes the ones before it. */
export interface FederationRights {
  /** list, show, status, members */
  look: readonly Right[]
  /** join, unjoin, update, kubeconfig */
  manage: readonly Right[]
  /** create, delete */
  own: readonly Right[]
}
