/** What clusters are named by: a context of this machine, or a reference that means the same on every machine. */

/** A reference that means the same on every machine: `magnum:prod`. Contexts are private to one; an ARN is the name of one. */
export const sharedReference = (reference: string): string | undefined =>
  /^(?!kube:|arn:)[a-z][a-z0-9]*:(?!\/)/.test(reference) ? reference : undefined
