import type { Call } from '../context.ts'
import type { Operation } from '../json-patch.ts'
import { refuse } from '../refusals.ts'
import type { Federation } from '../store.ts'

type Rewritten = (Operation | { path: string; op: string; value?: unknown })[]

/**
 * Join and unjoin are operations on `/member_ids` that carry one cluster's uuid. Magnum uses only the first operation
 * of a patch and turns it into a replacement of the complete list, made from the stored one; a second change before the
 * first is saved is therefore lost. A remove without a value is not an unjoin: it clears the list.
 */
export function readMembership(call: Call, federation: Federation, patch: Operation[]): Rewritten {
  const [first, ...rest] = patch
  if (!first) throw refuse(500, 'list index out of range') // upstream accesses the first without a check
  if (first.path !== '/member_ids' || first.value === undefined || first.op === 'replace') return patch
  const member = String(first.value)
  const cluster = call.state.store.clusters.get(member) // by uuid only; names are not resolved
  if (!cluster || cluster.project_id !== call.projectId) throw refuse(404, `Cluster ${member} could not be found.`)
  const members = federation.member_ids ?? []
  if (first.op === 'add') {
    if (members.includes(member)) {
      const name = federation.name
      throw refuse(409, `A cluster with UUID ${member} is already a member of the federation ${name}.`)
    }
    return [replaceAll([...members, member]), ...rest]
  }
  if (!members.includes(member)) {
    throw refuse(404, `Cluster ${member} is not a member of the federation ${federation.name}.`)
  }
  return [replaceAll(members.filter(id => id !== member)), ...rest]
}

const replaceAll = (value: string[]) => ({ path: '/member_ids', op: 'replace', value })
