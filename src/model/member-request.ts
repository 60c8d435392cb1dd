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

/** A reference that means the same on every machine: `magnum:prod`. Contexts are private to one; an ARN is the name of one. */
export const sharedReference = (reference: string): string | undefined =>
  /^(?!kube:|arn:)[a-z][a-z0-9]*:(?!\/)/.test(reference) ? reference : undefined
