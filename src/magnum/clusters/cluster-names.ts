/** Which clusters of the project have a name already: one small request where listing all would do, too. */
import { together } from '../../core/concurrency.ts'
import { hasOutcome } from '../../core/errors.ts'
import type { Call } from '../../model/call.ts'
import type { Cluster } from '../../model/cluster.ts'
import { getCluster, listClusters } from '../../openstack/magnum-api/clusters.ts'
import type { MagnumContext } from '../magnum-context.ts'

export async function clustersNamed({ session }: MagnumContext, call: Call, name: string): Promise<Cluster[]> {
  const service = await session.magnum(call.signal)
  const [found, { project }] = await together([
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
