/** Errors for a name that matches nothing or several objects, with suggestions. */
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
  /** Hint if there is no object of this kind. */
  none?: string
  /** Called only after an error. */
  candidates(): Promise<Candidate[]>
}

/** Runs a request that names an object; a 404 or an ambiguous name becomes an error with suggestions. */
export async function resolving<T>(lookup: Lookup, request: () => Promise<T>): Promise<T> {
  const { ref } = lookup
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof CoeError) || error.outcome !== 'notFound') throw await explain(error, lookup, [])
    const all = await candidatesOrNone(lookup)
    if (!all.some(c => c.name === ref || c.uuid === ref)) throw await explain(error, lookup, all)
    // it was created between the request and the list: the refused request did nothing, and can be repeated
    return request().catch(async (second: unknown) => {
      throw await explain(second, lookup, all)
    })
  }
}

async function explain(error: unknown, lookup: Lookup, all: readonly Candidate[]): Promise<unknown> {
  if (!(error instanceof CoeError)) return error
  const { kind, ref, where } = lookup
  const reason = String(error.details.reason ?? '')
  if (error.outcome === 'notFound') {
    // an administrator sees the objects of all projects, but may not change them
    if (all.some(c => c.name === ref || c.uuid === ref)) {
      return denied(`this action on ${kind} "${ref}" is possible only from its own project`, {
        hint: 'use a cloud or project that it belongs to: --os-cloud, --os-project-name',
        cause: error,
        details: error.details,
      })
    }
    const near = didYouMean(
      ref,
      all.flatMap(c => c.name ?? []),
    )
    return notFound(`no ${kind} "${ref}" in ${where}`, {
      hint: near ?? (all.length ? undefined : (lookup.none ?? `it has no ${kind}s at all`)),
      cause: error,
      details: error.details,
    })
  }
  if (error.outcome === 'conflict' && /^Multiple/.test(reason)) {
    const same = (await candidatesOrNone(lookup)).filter(c => c.name === ref)
    return conflict(`"${ref}" is the name of ${same.length || 'several'} ${kind}s in ${where}`, {
      hint: `name the ${kind} by its uuid: ${same.map(c => (c.status ? `${c.uuid} (${c.status})` : c.uuid)).join(', ')}`,
      cause: error,
      details: { ...error.details, candidates: same.map(c => c.uuid) },
    })
  }
  return error
}

const candidatesOrNone = (lookup: Lookup): Promise<Candidate[]> => lookup.candidates().catch(() => [])
