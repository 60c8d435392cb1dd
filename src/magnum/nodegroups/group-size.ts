/** How many nodes a change is about: a cluster's own count is the sum over all its groups. */
import { CoeError } from '../../core/errors.ts'
import type { Call } from '../../model/call.ts'
import type { Cluster } from '../../model/cluster.ts'
import { listNodeGroups } from '../../openstack/magnum-api/nodegroups.ts'
import type { MagnumContext } from '../magnum-context.ts'

/** Of the named group, or of the default workers; undefined where such a group is not to be seen. */
export async function groupSize(
  context: MagnumContext,
  call: Call,
  cluster: Cluster,
  group: string | undefined,
): Promise<number | undefined> {
  try {
    const groups = await listNodeGroups(await context.session.magnum(call.signal), cluster.uuid, {})
    const same = groups.filter(g =>
      group === undefined ? g.is_default && g.role !== 'master' : g.uuid === group || g.name === group,
    )
    return same[0]?.node_count ?? undefined
  } catch (error) {
    // servers without node groups have clusters of one size
    if (error instanceof CoeError && error.details.status === 406) return cluster.node_count ?? undefined
    throw error
  }
}
