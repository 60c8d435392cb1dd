/** What all nouns of this backend share. */
import type { Clock } from '../core/world.ts'
import type { InlineAccess } from '../kube/access/connect.ts'
import type { ClusterApi } from '../kube/api/cluster-api.ts'
import type { CloudSession } from '../openstack/session.ts'

export interface MagnumContext {
  readonly session: CloudSession
  readonly clock: Clock
  readonly where: string
  /** Connects to a cluster's own API. Requests are sent once, since Magnum itself does not need the answer. */
  connect(access: InlineAccess): Promise<ClusterApi>
}
