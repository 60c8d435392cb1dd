import { type Answer, json } from '../../http.ts'
import * as conductor from './clusters/conductor.ts'
import { type Call, findCluster, has } from './context.ts'
import { onlyQuery } from './listing.ts'
import { policyRefusal } from './refusals.ts'
import { since } from './versions.ts'

/**
 * `PATCH /credentials/{c}`: a new trust and certificates for the cluster's own use. Refused even to admins of other
 * projects.
 */
export function rotateCredentials(call: Call, ident: string): Answer {
  since(12, call.minor, 'patch')
  onlyQuery(call)
  const cluster = findCluster(call, ident)
  if (!has(call, 'member')) throw policyRefusal('credential:rotate')
  conductor.startUpdate(call.state, cluster, [])
  return json(202, { uuid: cluster.uuid })
}
