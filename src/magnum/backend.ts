/** The Backend over Magnum's REST API. Each noun is loaded when it is asked for. */
import type { World } from '../core/world.ts'
import type { Backend } from '../model/backend.ts'
import type { CloudSession } from '../openstack/session.ts'
import { magnumClusters } from './clusters.ts'
import type { MagnumContext } from './magnum-context.ts'

export function magnumBackend(session: CloudSession, world: World): Backend {
  const { cloud } = session
  const project = cloud.auth.project_name ?? cloud.auth.project_id
  const where = `cloud "${cloud.name}"${project ? `, project ${project}` : ''}`
  const context: MagnumContext = { session, clock: world.clock, where }
  return { mode: 'magnum', where, clusters: magnumClusters(context) }
}
