/** What every noun of this backend stands on. */
import { CoeError } from '../core/errors.ts'
import type { Clock } from '../core/world.ts'
import type { ClusterApi } from '../kube/cluster-api.ts'
import type { InlineAccess } from '../kube/connect.ts'
import type { CloudSession } from '../openstack/session.ts'

export interface MagnumContext {
  readonly session: CloudSession
  readonly clock: Clock
  readonly where: string
  /** To a cluster's own API: asked once, since nobody waits long for what Magnum itself does not need. */
  reach(access: InlineAccess): Promise<ClusterApi>
}

/** A 404 for a name: says where it was looked for. Other errors pass. */
export function notHere(error: unknown, kind: string, ref: string, where: string, near?: string): unknown {
  if (!(error instanceof CoeError) || error.outcome !== 'notFound') return error
  return new CoeError('notFound', `no ${kind} "${ref}" in ${where}`, {
    hint: near,
    cause: error,
    details: error.details,
  })
}
