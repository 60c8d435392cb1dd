/** Clusters that a name leads to: those that have it already, and one that was asked for a moment ago. */
import { awaitAll } from '../../core/concurrency.ts'
import { fallbackOn, hasOutcome } from '../../core/errors.ts'
import { poll } from '../../core/poll.ts'
import type { Call } from '../../model/call.ts'
import type { Cluster } from '../../model/cluster.ts'
import { getCluster, listClusters } from '../../openstack/magnum-api/clusters.ts'
import type { MagnumContext } from '../magnum-context.ts'

/** In the project: one small request where a list of all would do, too. */
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
  // an administrator sees those of other projects, too; there the name is free
  return found.filter(c => project === undefined || !c.project_id || c.project_id === project.id)
}

/** The API accepts a cluster before the conductor has made the row: "create", then "wait", may ask too early. */
const comingMs = 3_000

/** Undefined: it did not come. Errors other than that pass. */
export async function findNewCluster(
  { session, clock }: MagnumContext,
  ref: string,
  signal: AbortSignal,
): Promise<Cluster | undefined> {
  const look = async () => getCluster(await session.magnum(signal), ref).catch(fallbackOn('notFound', undefined))
  const limits = { clock, signal, timeoutMs: comingMs, intervalMs: 250, what: `cluster "${ref}" to be seen` }
  return poll(look, limits).catch(fallbackOn('timeout', undefined))
}
