/** Detects swapped arguments (`join CLUSTER FEDERATION`), and suggests the right command. */

import type { Context } from '../../../cli/context.ts'
import { resultOf } from '../../../core/concurrency.ts'
import { CoeError, hasOutcome } from '../../../core/errors.ts'
import { type NextStep, nextStep, standaloneStep } from '../../../core/next-step.ts'
import type { Federations } from '../../../model/backend.ts'

/** Longer commands are not checked for swapped arguments. */
const mostTried = 3

interface Words {
  verb: 'join' | 'unjoin'
  federation: string
  clusters: readonly string[]
}

/** Suggests the swap if the first name is that of a cluster, and one of the others that of a federation. */
export async function unlessSwapped<T>(
  context: Context,
  federations: Federations,
  words: Words,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!hasOutcome(error, 'notFound')) throw error
    const meant = await meantStep(context, federations, words)
    context.signal.throwIfAborted()
    if (meant === undefined) throw error
    throw new CoeError('notFound', error.message, {
      hint: `"${words.federation}" is a cluster; the federation comes first`,
      next: [meant],
      details: error.details,
      cause: error,
    })
  }
}

async function meantStep(
  context: Context,
  federations: Federations,
  { verb, federation, clusters }: Words,
): Promise<NextStep | undefined> {
  const backend = await context.backend()
  if (!(await resultOf(backend.clusters.get(context.call, federation))).ok) return undefined
  for (const name of clusters.slice(0, mostTried)) {
    if (!(await resultOf(federations.get(context.call, name))).ok) continue
    const others = [federation, ...clusters.filter(c => c !== name)]
    const step = backend.mode === 'standalone' ? standaloneStep : nextStep
    return step('did you mean', `federation ${verb}`, name, ...others)
  }
  return undefined
}
