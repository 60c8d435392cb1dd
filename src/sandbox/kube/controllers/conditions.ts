import { same } from '../object.ts'

export interface Condition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
  lastTransitionTime?: string
  [field: string]: unknown
}

/** The list with this condition set; the time of transition changes only with its status. */
export function withCondition(list: Condition[] | undefined, condition: Condition, now: string): Condition[] {
  const before = (list ?? []).find(({ type }) => type === condition.type)
  const moved = before?.status !== condition.status
  const next = { ...condition, lastTransitionTime: (moved ? now : before?.lastTransitionTime) ?? now }
  if (before && same(next, before)) return list ?? []
  return before ? (list ?? []).map(c => (c === before ? next : c)) : [...(list ?? []), next]
}
