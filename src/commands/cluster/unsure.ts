/** A cluster is to be deleted, and whether a federation needs it cannot be known. */
import type { Context } from '../../cli/context.ts'
import { requireConsent } from '../../cli/options/consent.ts'
import { conflict, failed } from '../../core/errors.ts'
import type { ClusterDeletion } from '../../model/backend.ts'

/** A strict guard refuses. At a terminal the user is asked, about one cluster after the other; elsewhere it is a warning. */
export async function whenUnsure(
  context: Context,
  options: { strict: boolean },
): Promise<NonNullable<ClusterDeletion['unsure']>> {
  const strict = options.strict || (await context.settings()).get('guard').value === 'strict'
  const told = new Set<string>()
  let before: Promise<void> = Promise.resolve()
  const decide = async ({ name }: { name: string }, why: readonly string[]) => {
    if (strict) {
      throw conflict(`cluster "${name}" is not deleted: ${why.join('; ')}`, {
        hint: '--force deletes it without checking',
      })
    }
    for (const line of why.filter(line => !told.has(line))) {
      context.note(line)
      told.add(line)
    }
    if (!context.interactive) return
    await requireConsent(context, `Delete cluster "${name}" all the same?`, { yes: false }).catch((error: unknown) => {
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
