/** The recorded members, each with its reference on this machine. */
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import type { Standalone } from '../deps.ts'
import { listMembers, type MemberRecord, type Place } from './member-record.ts'

/** The reference is empty if nothing on this machine leads to the member. */
export async function membersHere(
  deps: Standalone,
  host: ClusterApi,
  place: Place,
  signal: AbortSignal,
): Promise<MemberRecord[]> {
  const [members, references] = await Promise.all([listMembers(host, place, signal), deps.local.clusters.references()])
  return members.map(member => {
    const { known, guess } = references(member)
    return { ...member, reference: known[0] ?? guess ?? '' }
  })
}
