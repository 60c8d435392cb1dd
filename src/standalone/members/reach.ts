/** The user's own access to a member: a context or another reference that leads to the same cluster. */
import { resultOf } from '../../core/concurrency.ts'
import { CoeError, conflict } from '../../core/errors.ts'
import { allAdvice, flagArg, standaloneStep } from '../../core/next-step.ts'
import type { MemberReferences } from '../../model/local-state.ts'
import type { Standalone } from '../deps.ts'
import { enterCluster, type FoundCluster, findCluster } from '../references/references.ts'

/** Identifies the cluster of a member. */
interface Identity {
  name: string
  uid: string
  server: string
}

/** Opens the member by a reference that the user stated for it. */
export async function openMemberBy(deps: Standalone, member: Identity, reference: string): Promise<FoundCluster> {
  const found = await findCluster(deps, reference, 'member')
  if (found.uid === member.uid) return found
  throw conflict(`"${reference}" leads to a different cluster than member "${member.name}"`, {
    hint: `when it joined, its API was ${member.server}`,
  })
}

/** Resolves undefined if nothing on this machine leads to the member. */
export async function openMember(
  deps: Standalone,
  { known, guess }: MemberReferences,
  member: Identity,
  federation: string,
): Promise<FoundCluster | undefined> {
  let silent: CoeError | undefined
  for (const reference of [...known, ...(guess === undefined ? [] : [guess])]) {
    const entered = await resultOf(enterCluster(deps, reference, 'member'))
    if (!entered.ok) continue
    const uid = await resultOf(entered.value.api.identity({ signal: deps.call.signal }))
    if (uid.ok && uid.value === member.uid) return { ...entered.value, uid: uid.value }
    if (uid.ok) continue
    if (!(uid.error instanceof CoeError)) throw uid.error
    // a context that only has the same name may be any cluster: its silence means nothing
    if (reference !== guess) silent ??= uid.error
  }
  if (silent) throw perhapsGone(silent, member, federation)
  return undefined
}

const perhapsGone = (error: CoeError, member: Identity, federation: string): CoeError =>
  new CoeError(error.outcome, error.message, {
    cause: error,
    details: error.details,
    ...allAdvice(error, {
      next: [
        standaloneStep('if it is gone for good', 'federation unjoin', federation, member.name, ...flagArg('force')),
      ],
    }),
  })
