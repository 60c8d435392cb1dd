import { type Answer, json } from '../../http.ts'
import { allow, type Call } from './context.ts'
import { onlyQuery } from './listing.ts'
import { refuse } from './refusals.ts'

/** The number of clusters and nodes of a project, or of the complete cloud for admins who name no project. */
export function stats(call: Call): Answer {
  onlyQuery(call, 'project_id', 'type')
  allow(call, 'stats:get_all', 'reader')
  const type = call.request.query.get('type') ?? 'cluster'
  const requested = call.request.query.get('project_id')
  if (requested !== null && requested !== call.projectId && !call.isAdmin) throw refuse(403, 'Not authorized.')
  if (type !== 'cluster') throw refuse(400, "Invalid stats type. Allowed values are 'cluster'")
  const project = requested ?? (call.isAdmin ? undefined : call.projectId)
  let clusters = 0
  let nodes = 0
  for (const row of call.state.store.clusters.values()) {
    if (project !== undefined && row.project_id !== project) continue
    clusters++
    for (const group of row.nodegroups) nodes += group.node_count
  }
  return json(200, { clusters, nodes })
}
