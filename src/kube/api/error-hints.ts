/** The hints for errors of API servers. */
import type { FieldConflict, MissingRight } from './errors.ts'

export interface Refusal {
  code: number
  reason: string | undefined
  message: string
  right: MissingRight | undefined
  conflicts: readonly FieldConflict[]
}

export function hintFor({ code, reason, message, right, conflicts }: Refusal): string | undefined {
  if (code === 401) return 'the token or certificate may have expired or be for another cluster: get new credentials'
  if (right) {
    return `an administrator can grant it with RBAC (${right.verb} on ${right.resource}); docs/rbac.md lists what each command needs`
  }
  if (conflicts.length) {
    const managers = [...new Set(conflicts.map(c => c.manager))].join(', ')
    return `decide which value to keep: coe does not overwrite what ${managers} changed`
  }
  if (/exceeded quota/.test(message))
    return 'a ResourceQuota of the namespace is used up: raise it, or delete something'
  if (/violates PodSecurity/.test(message)) return 'the Pod Security level of the namespace is too strict for this pod'
  if (/provided port is not in the valid range/.test(message))
    return 'choose a port in that range, or none: then a free one is used'
  if (/is being terminated|being deleted/.test(message))
    return 'it is being deleted: wait until it is gone, then run this again'
  if (/failed calling webhook/.test(message)) {
    return 'an admission webhook of the cluster does not answer: see its pods, or remove its configuration'
  }
  if (/conversion webhook/.test(message)) return 'the webhook that converts this kind does not answer: see its pods'
  if (code === 409 && reason === 'Conflict') return 'another client changed it at the same time: run this again'
  if (code === 410) return 'the list changed too much while it was read: run this again'
  if (code === 429 || code === 503) return 'it may be starting or overloaded: run this again in a moment'
  if (code >= 500) return 'the failure is on its side: run this again; if that does not help, see its log'
  if (code === 404 && /could not find the requested resource/.test(message)) {
    return 'this server does not serve that kind: it may be older than expected'
  }
  return undefined
}
