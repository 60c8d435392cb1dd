import type { MemberSettings } from './member-settings.ts'

/** A cluster that is to be a member, and what is stated of it. What is not stated stays as it was, or as the cluster has it. */
export interface MemberRequest extends MemberSettings {
  /** As it is named here: a cluster reference, or in Magnum a name or uuid. */
  cluster: string
  /** In the federation. */
  name?: string | undefined
  /** Where nothing else is stated and its own name cannot be one there, one is made of it. Else it is asked for. */
  slug?: boolean
}
