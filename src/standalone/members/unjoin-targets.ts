/** Which member each word of an unjoin means. */
import { resultOf } from '../../core/concurrency.ts'
import { CoeError, notFound } from '../../core/errors.ts'
import { someOf } from '../../core/text.ts'
import type { LocalState } from '../../model/local-state.ts'
import type { Standalone } from '../deps.ts'
import { type HistoryEntry, wasUnjoined } from '../federations/history.ts'
import { findCluster } from '../references/references.ts'
import type { MemberRecord } from './member-record.ts'

/** By which references a member may be reached from here. */
export type References = Awaited<ReturnType<LocalState['clusters']['references']>>

interface Here {
  deps: Standalone
  references: References
}

/** One word of the line. No member: the cluster is in no need of leaving. */
export type Target = { given: string; member: MemberRecord | undefined } | { given: string; error: CoeError }

export async function target(
  here: Here,
  given: string,
  members: readonly MemberRecord[],
  history: readonly HistoryEntry[],
): Promise<Target> {
  const found = await resultOf(memberOf(here, given, members, history))
  if (found.ok) return { given, member: found.value }
  if (found.error instanceof CoeError) return { given, error: found.error }
  throw found.error
}

/** What a record can keep: a context means nothing on another machine. */
export const recordedName = ({ given, member }: Exclude<Target, { error: CoeError }>): string =>
  member === undefined || given === member.uid ? given : member.name

/** By its name in the federation first: that is fixed, and contexts are not. Undefined: a cluster that is no member. */
export async function memberOf(
  { deps, references }: Here,
  given: string,
  members: readonly MemberRecord[],
  history: readonly HistoryEntry[],
): Promise<MemberRecord | undefined> {
  const named = members.find(m => m.name === given) ?? members.find(m => m.uid === given)
  if (named) return named
  const found = await resultOf(findCluster(deps, given, 'member'))
  if (found.ok) return members.find(m => m.uid === found.value.uid)
  // it cannot be asked which one it is: what it was called when it joined must do
  const bare = given.replace(/^kube:/, '')
  const called = members.find(m => references(m).known.includes(bare) || references(m).guess === bare)
  if (called && found.error instanceof CoeError) return called
  const missing = found.error instanceof CoeError && found.error.outcome === 'notFound'
  if (!missing) throw found.error
  // it was one, by a name that only the federation knew, and a run before this one has taken it out
  if (wasUnjoined(history, given)) return undefined
  throw notFound(`there is neither a member nor a context "${given}"`, {
    hint: members.length ? `members: ${someOf(members.map(m => m.name))}` : 'the federation has no members',
  })
}
