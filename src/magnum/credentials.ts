/** What a cluster uses to talk to its cloud: made anew, for the user who asks. */
import type { Credentials } from '../model/backend.ts'
import { isMoving } from '../model/status.ts'
import { getCluster, listClusters } from '../openstack/magnum-api/clusters.ts'
import { rotateCredential } from '../openstack/magnum-api/credentials.ts'
import type { MagnumContext } from './magnum-context.ts'
import { resolving } from './resolve.ts'
import { watchCluster } from './watch-cluster.ts'

export function magnumCredentials(context: MagnumContext): Credentials {
  return {
    async rotate(ref, op) {
      const service = await context.session.magnum()
      const candidates = () => listClusters(service, {}, false)
      const lookup = { kind: 'cluster', ref, where: context.where, candidates }
      const { uuid } = await resolving(lookup, () => rotateCredential(service, ref))
      op.accepted?.(uuid)
      if (!op.wait) return { uuid }
      // the driver has answered before the server does; some then change the cluster, and others are done
      const cluster = await getCluster(service, uuid)
      if (!isMoving(cluster.status)) return cluster
      return (await watchCluster(context, { uuid, name: cluster.name, goal: { kind: 'settled' } }, op)) ?? { uuid }
    },
  }
}
