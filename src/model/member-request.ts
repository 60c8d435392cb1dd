/** A cluster that is to be a member, and what is said of it. What is not said stays as it was, or as the cluster has it. */
export interface MemberRequest {
  /** As it is named here: a cluster reference, or in Magnum a name or uuid. */
  cluster: string
  /** In the federation. */
  name?: string | undefined
  /** Where nothing else is said and its own name cannot be one there, one is made of it. Else it is asked for. */
  slug?: boolean
  /** The address of its API server as the federation sees it. */
  server?: string | undefined
  labels?: Record<string, string> | undefined
  region?: string | undefined
  zones?: string[] | undefined
  provider?: string | undefined
}
