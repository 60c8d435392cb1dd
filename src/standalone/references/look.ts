/** A look at clusters that nobody named: many at a time, none for long, and no credential plugin may ask the user. */
import type { KubeAccess } from '../../config/kubeconfig/kubeconfig.ts'
import { mapLimit, type ResultOrError, resultOf } from '../../core/concurrency.ts'
import { CoeError } from '../../core/errors.ts'
import type { InlineAccess } from '../../kube/access/connect.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import type { Standalone } from '../deps.ts'
import { findAccess } from './references.ts'

/** For one request: a VPN that has to wake up first answers within this. */
export const usualLookMs = 10_000

/** Sockets wait side by side: with fewer at a time, a list with many dead clusters would take their time limits one after the other. */
export const looksAtOnce = 512

export type Way = KubeAccess | InlineAccess

/** A context, or what a driver knows by this reference. */
export async function lookInto(deps: Standalone, reference: string, limitMs = usualLookMs): Promise<ClusterApi> {
  const { looking } = deps
  if ((await looking.contexts()).includes(reference)) {
    return looking.connect(await looking.context(reference), { timeoutMs: limitMs })
  }
  const { access, reference: full } = await findAccess(deps, reference)
  return looking.connect(access, { title: `the API server of "${full}"`, timeoutMs: limitMs })
}

/** One result or error for each, in their order. What is no expected failure ends it. */
export async function lookAtEach<I, T>(
  deps: Standalone,
  items: readonly I[],
  look: (item: I) => Promise<T>,
): Promise<(ResultOrError<T> & { item: I })[]> {
  return mapLimit(items, looksAtOnce, async item => {
    const end = await resultOf(look(item))
    deps.call.signal.throwIfAborted()
    if (!end.ok && !(end.error instanceof CoeError)) throw end.error
    return { ...end, item }
  })
}
