/** Finds clusters by name: existing ones, and one that is about to appear. */
import { awaitAll } from '../../core/concurrency.ts'
import { fallbackOn, hasOutcome } from '../../core/errors.ts'
import { poll } from '../../core/poll.ts'
import type { Call } from '../../model/call.ts'
import type { Cluster } from '../../model/cluster.ts'
import { getCluster, listClusters } from '../../openstack/magnum-api/clusters.ts'
import type { MagnumContext } from '../magnum-context.ts'

/** In the project. One small request in place of a complete list. */
export async function clustersNamed({ session }: MagnumContext, call: Call, name: string): Promise<Cluster[]> {
  const service = await session.magnum(call.signal)
  const [found, { project }] = await awaitAll([
    getCluster(service, name).then(
      one => [one],
      async (error: unknown) => {
        if (hasOutcome(error, 'notFound')) return []
        if (!hasOutcome(error, 'conflict')) throw error
        return (await listClusters(service, {}, true)).filter(c => c.name === name)
      },
    ),
    session.identity({ signal: call.signal }),
  ])
  // an administrator sees clusters of other projects too, where the name may be used again
  return found.filter(c => project === undefined || !c.project_id || c.project_id === project.id)
}

/** The API accepts a cluster before the conductor stores it, so a "wait" after "create" may come too early. */
const appearsWithinMs = 3_000

/** Undefined: no such cluster appeared. Other errors are thrown. */
export async function findNewCluster(
  { session, clock }: MagnumContext,
  ref: string,
  signal: AbortSignal,
): Promise<Cluster | undefined> {
  const find = async () => getCluster(await session.magnum(signal), ref).catch(fallbackOn('notFound', undefined))
  const limits = { clock, signal, timeoutMs: appearsWithinMs, intervalMs: 250, what: `cluster "${ref}" to appear` }
  return poll(find, limits).catch(fallbackOn('timeout', undefined))
}
