/**
 * A cluster that was asked for a moment ago: Magnum's API says yes before its conductor has made the row, so that
 * "create", then "wait", may look too early.
 */
import { answering } from '../../core/errors.ts'
import { poll } from '../../core/poll.ts'
import type { Cluster } from '../../model/cluster.ts'
import { getCluster } from '../../openstack/magnum-api/clusters.ts'
import type { MagnumContext } from '../magnum-context.ts'

const comingMs = 3_000

/** Undefined: it did not come. Errors other than that pass. */
export async function comingCluster(
  { session, clock }: MagnumContext,
  ref: string,
  signal: AbortSignal,
): Promise<Cluster | undefined> {
  const look = async () => getCluster(await session.magnum(signal), ref).catch(answering('notFound', undefined))
  const limits = { clock, signal, timeoutMs: comingMs, intervalMs: 250, what: `cluster "${ref}" to be seen` }
  return poll(look, limits).catch(answering('timeout', undefined))
}
