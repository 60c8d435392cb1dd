/** A search in every cluster that a context leads to: what was found, and who could not say. */
import { failed, hasOutcome, notFound } from '../../core/errors.ts'
import { plural, someOf } from '../../core/text.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import type { Standalone } from '../deps.ts'
import { noFederation } from '../records/on-host.ts'
import { lookAtEach, lookInto } from './look.ts'

/** A cluster that did not answer, so it may have the federation. */
export interface Unasked {
  place: string
  why: string
}

export interface Scan<T> {
  found: { reference: string; value: T }[]
  /** Those that answered. */
  asked: string[]
  unasked: Unasked[]
}

/** @param look resolves with undefined where there is nothing of it */
export async function scan<T>(
  deps: Standalone,
  places: readonly string[],
  limitMs: number | undefined,
  look: (host: ClusterApi) => Promise<T | undefined>,
): Promise<Scan<T>> {
  const looks = await lookAtEach(deps, places, async place => look(await lookInto(deps, place, limitMs)))
  const result: Scan<T> = { found: [], asked: [], unasked: [] }
  for (const end of looks) {
    if (!end.ok) {
      result.unasked.push({ place: end.item, why: (end.error as Error).message })
      continue
    }
    result.asked.push(end.item)
    if (end.value !== undefined) result.found.push({ reference: end.item, value: end.value })
  }
  return result
}

/** For `.catch`: undefined where there is no such federation. */
export function unlessNone(error: unknown): undefined {
  if (hasOutcome(error, 'notFound') && error.details.not_found === noFederation.not_found) return undefined
  throw error
}

const most = 5

/** Not found only if every cluster answered; otherwise the federation may be on one that did not. */
export function nowhere(
  ref: string,
  { asked, unasked }: { asked: readonly string[]; unasked: readonly Unasked[] },
  hint: string | undefined,
) {
  if (unasked.length === 0) {
    return notFound(`there is no federation "${ref}" on any cluster of the kubeconfig (standalone mode)`, {
      hint: [hint, `contexts searched: ${someOf(asked, 'context') || 'none'}`].filter(Boolean).join('\n'),
      details: noFederation,
    })
  }
  const all = plural(asked.length + unasked.length, 'cluster')
  const names = unasked.map(u => u.place).sort()
  const reasons = unasked.length > most ? `no answer from ${someOf(names, 'cluster')}; the first: ` : ''
  const shown = unasked.length > most ? unasked.filter(u => u.place === names[0]) : unasked
  return failed(
    `cannot tell whether federation "${ref}" exists: ${unasked.length} of ${all} did not answer (standalone mode)`,
    {
      hint: [
        hint,
        ...shown.map(u => `${reasons}${u.why}`),
        '--host NAME searches its host alone; --timeout gives each cluster more time',
      ]
        .filter(Boolean)
        .join('\n'),
      details: { unasked: names },
    },
  )
}
