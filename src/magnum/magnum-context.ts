/** What every noun of this backend stands on. */
import type { Clock } from '../core/world.ts'
import type { InlineAccess } from '../kube/access/connect.ts'
import type { ClusterApi } from '../kube/api/cluster-api.ts'
import type { CloudSession } from '../openstack/session.ts'

export interface MagnumContext {
  readonly session: CloudSession
  readonly clock: Clock
  readonly where: string
  /** To a cluster's own API: asked once, since nobody waits long for what Magnum itself does not need. */
  reach(access: InlineAccess): Promise<ClusterApi>
}
