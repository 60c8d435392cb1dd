/** What -f prints after a change: the cluster as it is now. Nothing is asked when nobody will see it. */
import type { Context } from '../../cli/context.ts'
import { fallbackOn } from '../../core/errors.ts'
import { poll } from '../../core/poll.ts'
import type { Cluster } from '../../model/cluster.ts'

export async function shown(
  context: Context,
  known: Partial<Cluster> & { uuid: string },
  waited: boolean,
): Promise<Partial<Cluster>> {
  if (waited || !context.formatted) return known
  const { clusters } = await context.backend()
  // one that was accepted a moment ago may take another moment to be seen
  const look = () => clusters.get(context.call, known.uuid).catch(fallbackOn('notFound', undefined))
  const limits = {
    clock: context.world.clock,
    signal: context.signal,
    timeoutMs: 5_000,
    what: 'the cluster to be seen',
  }
  return (await poll(look, limits).catch(fallbackOn('timeout', undefined))) ?? known
}
