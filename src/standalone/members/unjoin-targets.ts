/** Finds the member that each argument of an unjoin means. */
import { resultOf } from '../../core/concurrency.ts'
import { CoeError, notFound } from '../../core/errors.ts'
import { someOf } from '../../core/text.ts'
import type { LocalState } from '../../model/local-state.ts'
import type { Standalone } from '../deps.ts'
import { type HistoryEntry, wasUnjoined } from '../federations/history.ts'
import { findCluster } from '../references/references.ts'
import type { MemberRecord } from './member-record.ts'

/** Finds the references on this machine that lead to a member. */
export type References = Awaited<ReturnType<LocalState['clusters']['references']>>

interface Here {
  deps: Standalone
  references: References
}

/** One argument of the command. Without a member, the cluster has left already or never joined. */
export type Target = { argument: string; member: MemberRecord | undefined } | { argument: string; error: CoeError }

export async function target(
  here: Here,
  argument: string,
  members: readonly MemberRecord[],
  history: readonly HistoryEntry[],
): Promise<Target> {
  const found = await resultOf(memberOf(here, argument, members, history))
  if (found.ok) return { argument, member: found.value }
  if (found.error instanceof CoeError) return { argument, error: found.error }
  throw found.error
}

/** The name that a record keeps: a context means nothing on another machine. */
export const recordedName = ({ argument, member }: Exclude<Target, { error: CoeError }>): string =>
  member === undefined || argument === member.uid ? argument : member.name

/** Looks for the name in the federation first, as it is fixed and contexts are not. Undefined for a cluster that is not a member. */
export async function memberOf(
  { deps, references }: Here,
  argument: string,
  members: readonly MemberRecord[],
  history: readonly HistoryEntry[],
): Promise<MemberRecord | undefined> {
  const named = members.find(m => m.name === argument) ?? members.find(m => m.uid === argument)
  if (named) return named
  const found = await resultOf(findCluster(deps, argument, 'member'))
  if (found.ok) return members.find(m => m.uid === found.value.uid)
  // the cluster does not answer, so only a reference that it had before can identify it
  const bare = argument.replace(/^kube:/, '')
  const called = members.find(m => references(m).known.includes(bare) || references(m).guess === bare)
  if (called && found.error instanceof CoeError) return called
  const missing = found.error instanceof CoeError && found.error.outcome === 'notFound'
  if (!missing) throw found.error
  // an earlier run took this member out; only the federation knew it by this name
  if (wasUnjoined(history, argument)) return undefined
  throw notFound(`no member and no context is called "${argument}"`, {
    hint: members.length ? `members: ${someOf(members.map(m => m.name))}` : 'the federation has no members',
  })
}
