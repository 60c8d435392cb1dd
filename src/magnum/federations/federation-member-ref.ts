/** Finds the cluster that an argument of join or unjoin names. */
import { conflict, notFound } from '../../core/errors.ts'
import { didYouMean } from '../../core/text.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { Federation } from '../../model/federation.ts'
import type { MagnumContext } from '../magnum-context.ts'

export function memberUuid(
  context: MagnumContext,
  verb: 'join' | 'unjoin',
  ref: string,
  clusters: readonly Cluster[],
  federation: Federation,
): string {
  if (clusters.some(c => c.uuid === ref)) return ref
  const byName = clusters.filter(c => c.name === ref)
  const members = byName.filter(c => federation.member_ids.includes(c.uuid))
  // of several clusters of one name, unjoin can only mean the member
  const meant = verb === 'unjoin' && members.length === 1 ? members : byName
  if (meant[0] && meant.length === 1) return meant[0].uuid
  if (meant.length > 1) {
    throw conflict(`"${ref}" is the name of ${meant.length} clusters in ${context.where}`, {
      hint: `name the cluster by its uuid: ${meant.map(c => `${c.uuid} (${c.status})`).join(', ')}`,
      details: { candidates: meant.map(c => c.uuid) },
    })
  }
  // a member whose cluster was deleted has only its uuid left, and can still be removed
  if (verb === 'unjoin' && federation.member_ids.includes(ref)) return ref
  const names = clusters.flatMap(c => c.name ?? [])
  throw notFound(`no cluster "${ref}" in ${context.where}`, { hint: didYouMean(ref, names) ?? lostMembers() })

  function lostMembers(): string | undefined {
    const lost = federation.member_ids.filter(id => !clusters.some(c => c.uuid === id))
    if (verb === 'join' || lost.length === 0) return undefined
    return `remove members whose clusters were deleted by uuid: ${lost.join(', ')}`
  }
}
