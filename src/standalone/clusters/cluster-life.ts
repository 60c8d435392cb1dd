/** What becomes of clusters, standalone: the driver of a cluster is asked to change it. No driver that is built in makes clusters. */
import { usage } from '../../core/errors.ts'
import { optionArgs } from '../../core/next-step.ts'
import type { ClusterCommand } from '../../drivers/driver-api.ts'
import type { Clusters } from '../../model/backend.ts'
import type { Call } from '../../model/call.ts'
import type { DepsFor } from '../deps.ts'
import { driverOfCluster } from '../references/references.ts'

const ofMagnum = 'for clusters of a Magnum name the cloud: --os-cloud NAME (OS_CLOUD)'

export function clusterLife(
  depsFor: DepsFor,
): Pick<Clusters, 'create' | 'update' | 'resize' | 'upgrade' | 'delete' | 'waitFor'> {
  const refuse = async (call: Call, ref: string, verb: string, asked: ClusterCommand): Promise<never> => {
    const { driver, name } = await driverOfCluster(depsFor(call), ref)
    const { changedBy } = driver.clusters
    throw usage(`driver ${driver.name} cannot ${verb} cluster "${name}": ${reason(driver)}`, {
      ...((await changedBy?.(name, asked)) ?? { hint: `what made the cluster can ${verb} it; ${ofMagnum}` }),
      details: { driver: driver.name },
    })
  }
  return {
    async create(call) {
      const drivers = await depsFor(call).drivers.clusters()
      const all = drivers.map(driver => `driver ${driver.name}: ${reason(driver)}`)
      throw usage('no driver creates clusters in standalone mode', { hint: [...all, ofMagnum].join('\n') })
    },
    update: (call, ref, { set }) =>
      refuse(call, ref, 'change', {
        words: ['cluster', 'update'],
        args: optionArgs('node-count', set.nodeCount === undefined ? undefined : String(set.nodeCount)),
      }),
    resize: (call, ref, { nodeCount, nodegroup }) =>
      refuse(call, ref, 'resize', {
        words: ['cluster', 'resize'],
        args: [String(nodeCount), ...optionArgs('nodegroup', nodegroup)],
      }),
    upgrade: (call, ref, { template, nodegroup }) =>
      refuse(call, ref, 'upgrade', {
        words: ['cluster', 'upgrade'],
        args: [template, ...optionArgs('nodegroup', nodegroup)],
      }),
    delete: (call, ref) => refuse(call, ref, 'delete', { words: ['cluster', 'delete'], args: [] }),
    waitFor: (call, ref) => refuse(call, ref, 'wait for', { words: ['cluster', 'wait'], args: [] }),
  }
}

const reason = ({ clusters }: { clusters: { open?: unknown } }): string =>
  clusters.open ? 'coe cannot open it for one management cluster yet' : 'it finds clusters that others made'
