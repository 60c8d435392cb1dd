import type { MemberSettings } from './member-settings.ts'

/** A cluster to join, with its settings. Settings that are absent keep their value, or come from the cluster. */
export interface MemberRequest extends MemberSettings {
  /** A cluster reference, or in Magnum mode a name or uuid. */
  cluster: string
  /** The member's name in the federation. */
  name?: string | undefined
  /** Derive a valid member name if the cluster's own is not one and none is stated. Without this it is refused. */
  slug?: boolean
}

/** A reference that means the same on every machine: `magnum:prod`. Contexts are private to one; an ARN is the name of one. */
export const sharedReference = (reference: string): string | undefined =>
  /^(?!kube:|arn:)[a-z][a-z0-9]*:(?!\/)/.test(reference) ? reference : undefined
