/** Decides about deleting a cluster if it is unknown whether a federation needs it. */
import type { Context } from '../../cli/context.ts'
import { requireConsent } from '../../cli/options/consent.ts'
import { conflict, failed } from '../../core/errors.ts'
import type { ClusterDeletion } from '../../model/backend.ts'

/** A strict guard refuses. Otherwise asks at a terminal, for one cluster after the other, and only warns elsewhere. */
export async function whenUnsure(
  context: Context,
  options: { strict: boolean },
): Promise<NonNullable<ClusterDeletion['unsure']>> {
  const strict = options.strict || (await context.settings()).get('guard').value === 'strict'
  const printed = new Set<string>()
  let before: Promise<void> = Promise.resolve()
  const decide = async ({ name }: { name: string }, why: readonly string[]) => {
    if (strict) {
      throw conflict(`cluster "${name}" is not deleted: ${why.join('; ')}`, {
        hint: '--force deletes it without checking',
      })
    }
    for (const line of why.filter(line => !printed.has(line))) {
      context.note(line)
      printed.add(line)
    }
    if (!context.interactive) return
    await requireConsent(context, `Delete cluster "${name}" anyway?`, { yes: false }).catch((error: unknown) => {
      context.signal.throwIfAborted()
      throw failed(`cancelled: cluster "${name}" is kept`, { cause: error })
    })
  }
  return (cluster, why) => {
    const turn = before.then(() => decide(cluster, why))
    before = turn.catch(() => {})
    return turn
  }
}
