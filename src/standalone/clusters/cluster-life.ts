/** What becomes of clusters, standalone: the driver of a cluster is asked to change it. No driver that is built in makes clusters. */
import { usage } from '../../core/errors.ts'
import type { ClusterCommand } from '../../drivers/driver-api.ts'
import type { Clusters } from '../../model/backend.ts'
import type { Standalone } from '../deps.ts'
import { driverOfCluster } from '../references/references.ts'

const ofMagnum = 'for clusters of a Magnum name the cloud: --os-cloud NAME (OS_CLOUD)'

export function clusterLife(
  deps: Standalone,
): Pick<Clusters, 'create' | 'update' | 'resize' | 'upgrade' | 'delete' | 'waitFor'> {
  const refuse = async (ref: string, verb: string, asked: ClusterCommand): Promise<never> => {
    const { driver, name } = await driverOfCluster(deps, ref)
    const { changedBy } = driver.clusters
    throw usage(`driver ${driver.name} cannot ${verb} cluster "${name}": ${reason(driver)}`, {
      hint: (await changedBy?.(name, asked)) ?? `what made the cluster can ${verb} it; ${ofMagnum}`,
      details: { driver: driver.name },
    })
  }
  return {
    async create() {
      const drivers = await deps.drivers.clusters()
      const all = drivers.map(driver => `driver ${driver.name}: ${reason(driver)}`)
      throw usage('no driver creates clusters in standalone mode', { hint: [...all, ofMagnum].join('\n') })
    },
    update: (_call, ref, { set }) => {
      const count = set.nodeCount
      return refuse(ref, 'change', {
        words: 'cluster update',
        args: count === undefined ? [] : ['--node-count', String(count)],
      })
    },
    resize: (_call, ref, { nodeCount }) =>
      refuse(ref, 'resize', { words: 'cluster resize', args: [String(nodeCount)] }),
    upgrade: (_call, ref, { template }) => refuse(ref, 'upgrade', { words: 'cluster upgrade', args: [template] }),
    delete: (_call, ref) => refuse(ref, 'delete', { words: 'cluster delete', args: [] }),
    waitFor: (_call, ref) => refuse(ref, 'wait for', { words: 'cluster wait', args: [] }),
  }
}

const reason = ({ clusters }: { clusters: { open?: unknown } }): string =>
  clusters.open ? 'coe cannot open it for one management cluster yet' : 'it finds clusters that others made'
