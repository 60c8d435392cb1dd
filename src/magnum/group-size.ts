/** How many nodes a change is about: a cluster's own count is the sum over all its groups. */
import { CoeError } from '../core/errors.ts'
import type { Cluster, NodeGroup } from '../model/cluster.ts'
import { listAll } from '../openstack/magnum-api/paging.ts'
import type { MagnumContext } from './magnum-context.ts'

/** Of the named group, or of the default workers; undefined where such a group is not to be seen. */
export async function groupSize(
  context: MagnumContext,
  cluster: Cluster,
  group: string | undefined,
): Promise<number | undefined> {
  const path = `/clusters/${cluster.uuid}/nodegroups`
  try {
    const groups = await listAll<NodeGroup>(
      await context.session.magnum(),
      { path, plural: 'nodegroups', needs: '1.9' },
      {},
    )
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
