/** A name that leads nowhere, or to several things: what else there is, so that the next try is right. */
import { CoeError, conflict, denied, notFound } from '../core/errors.ts'
import { didYouMean } from '../core/text.ts'

export interface Candidate {
  uuid: string
  name: string
  status?: string | null | undefined
}

export interface Lookup {
  /** `cluster`, `cluster template`. */
  kind: string
  ref: string
  where: string
  /** Hint for when there is nothing of the kind at all. */
  none?: string
  /** Asked only on the way to an error. */
  candidates(): Promise<Candidate[]>
}

/** Runs a request that names something; a 404 or an ambiguity comes back with suggestions. */
export async function resolving<T>(lookup: Lookup, request: () => Promise<T>): Promise<T> {
  const { ref } = lookup
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof CoeError) || error.outcome !== 'notFound') throw await explain(error, lookup, [])
    const all = await candidatesOrNone(lookup)
    if (!all.some(c => c.name === ref || c.uuid === ref)) throw await explain(error, lookup, all)
    // there after all: made between the two looks; what was refused did nothing, and may be asked again
    return request().catch(async (again: unknown) => {
      throw await explain(again, lookup, all)
    })
  }
}

async function explain(error: unknown, lookup: Lookup, all: readonly Candidate[]): Promise<unknown> {
  if (!(error instanceof CoeError)) return error
  const { kind, ref, where } = lookup
  const reason = String(error.details.reason ?? '')
  if (error.outcome === 'notFound') {
    // an administrator sees everybody's, and may do less with them than look
    if (all.some(c => c.name === ref || c.uuid === ref)) {
      return denied(`this can be done with ${kind} "${ref}" from its own project only`, {
        hint: 'name a cloud, or a project, that it belongs to: --os-cloud, --os-project-name',
        cause: error,
        details: error.details,
      })
    }
    const near = didYouMean(
      ref,
      all.flatMap(c => c.name ?? []),
    )
    return notFound(`no ${kind} "${ref}" in ${where}`, {
      hint: near ?? (all.length ? undefined : (lookup.none ?? `there is no ${kind} at all there`)),
      cause: error,
      details: error.details,
    })
  }
  if (error.outcome === 'conflict' && /^Multiple/.test(reason)) {
    const same = (await candidatesOrNone(lookup)).filter(c => c.name === ref)
    return conflict(`"${ref}" is the name of ${same.length || 'several'} ${kind}s in ${where}`, {
      hint: `name it by its uuid: ${same.map(c => (c.status ? `${c.uuid} (${c.status})` : c.uuid)).join(', ')}`,
      cause: error,
      details: { ...error.details, candidates: same.map(c => c.uuid) },
    })
  }
  return error
}

const candidatesOrNone = (lookup: Lookup): Promise<Candidate[]> => lookup.candidates().catch(() => [])
