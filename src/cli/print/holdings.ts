/** What a federation has put on a member, told to whoever takes that member out. */
import type { MemberHoldings } from '../../model/backend.ts'

/** @param goes whether it is deleted with the membership */
export function holdingsText({ member, workloads, namespaces }: MemberHoldings, goes: boolean): string {
  if (workloads.length + namespaces.length === 0) return `The federation has put nothing on ${member}.`
  const count = workloads.length === 1 ? '1 object' : `${workloads.length} objects`
  const whole = `${count}${namespaces.length ? ` and the namespaces ${namespaces.join(', ')}` : ''}`
  const verdict = goes
    ? `will be DELETED on ${member}${namespaces.length ? ', with all else that is in these namespaces' : ''}`
    : `stays on ${member}`
  return [`What the federation put there ${verdict}: ${whole}`, ...workloads.map(name => `  ${name}`)].join('\n')
}
