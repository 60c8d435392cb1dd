/** The Backend over Magnum's REST API: one small object for each noun. */
import type { Clock } from '../core/world.ts'
import type { Backend } from '../model/backend.ts'
import { listServices } from '../openstack/magnum-api/services.ts'
import { getStats } from '../openstack/magnum-api/stats.ts'
import type { CloudSession } from '../openstack/session.ts'
import { magnumCertificates } from './certificates.ts'
import { magnumClusters } from './clusters/clusters.ts'
import { magnumCredentials } from './credentials.ts'
import { magnumFederations } from './federations/federations.ts'
import type { MagnumContext } from './magnum-context.ts'
import { magnumNodeGroups } from './nodegroups/nodegroups.ts'
import { magnumQuotas } from './quotas.ts'
import { magnumTemplates } from './templates/templates.ts'

export function magnumBackend(session: CloudSession, clock: Clock, connect: MagnumContext['connect']): Backend {
  const { cloud } = session
  const project = cloud.auth.project_name ?? cloud.auth.project_id
  const where = `cloud "${cloud.name}"${project ? `, project ${project}` : ''}`
  const context: MagnumContext = { session, clock, where, connect }
  return {
    mode: 'magnum',
    where,
    clusters: magnumClusters(context),
    templates: magnumTemplates(context),
    nodegroups: magnumNodeGroups(context),
    certificates: magnumCertificates(context),
    credentials: magnumCredentials(context),
    federations: magnumFederations(context),
    quotas: magnumQuotas(context),
    stats: { get: async (call, project) => getStats(await session.magnum(call.signal), project) },
    services: { list: async call => listServices(await session.magnum(call.signal)) },
  }
}
