/** Describes what a federation has put on a member, before the member leaves. */
import type { MemberHoldings } from '../../model/backend.ts'

/** @param deleted true if it is deleted with the membership */
export function holdingsText({ member, workloads, namespaces }: MemberHoldings, deleted: boolean): string {
  if (workloads.length + namespaces.length === 0) return `The federation has put nothing on ${member}.`
  const count = workloads.length === 1 ? '1 object' : `${workloads.length} objects`
  const everything = `${count}${namespaces.length ? ` and the namespaces ${namespaces.join(', ')}` : ''}`
  const outcome = deleted
    ? `will be DELETED on ${member}${namespaces.length ? ', with everything else in these namespaces' : ''}`
    : `stays on ${member}`
  return [`What the federation put there ${outcome}: ${everything}`, ...workloads.map(name => `  ${name}`)].join('\n')
}
