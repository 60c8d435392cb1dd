/** Gets the cluster after a change, for -f. Sends no request if it will not be printed. */
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
  // a cluster may become visible only a moment after the request was accepted
  const look = () => clusters.get(context.call, known.uuid).catch(fallbackOn('notFound', undefined))
  const limits = {
    clock: context.world.clock,
    signal: context.signal,
    timeoutMs: 5_000,
    what: 'the cluster to become visible',
  }
  return (await poll(look, limits).catch(fallbackOn('timeout', undefined))) ?? known
}
