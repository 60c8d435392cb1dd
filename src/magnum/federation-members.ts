/**
 * Joining and unjoining, one cluster at a time: Magnum computes the new list from the one it read last, so two changes
 * at once lose one. Each is looked at before the next is sent.
 */
import { CoeError, notFound } from '../core/errors.ts'
import { didYouMean } from '../core/text.ts'
import type { MemberOutcome } from '../model/backend.ts'
import type { Cluster } from '../model/cluster.ts'
import type { Federation } from '../model/federation.ts'
import type { Operation } from '../model/operation.ts'
import { listClusters } from '../openstack/magnum-api/clusters.ts'
import { getFederation, patchFederation } from '../openstack/magnum-api/federations.ts'
import type { JsonPatch } from '../openstack/magnum-api/json-patch.ts'
import { refuseForeignReference } from './foreign-reference.ts'
import type { MagnumContext } from './magnum-context.ts'
import { watchFederation } from './watch-federation.ts'

type Verb = 'join' | 'unjoin'

export async function changeMembers(
  context: MagnumContext,
  verb: Verb,
  federation: Federation,
  refs: readonly string[],
  op: Operation,
): Promise<MemberOutcome[]> {
  const name = federation.name ?? federation.uuid
  for (const ref of refs) refuseForeignReference(ref, `federation ${verb} ${name} ${refs.join(' ')}`)
  const service = await context.session.magnum()
  const clusters = await listClusters(service, {}, false)
  const outcomes: MemberOutcome[] = []
  let current = federation
  for (const ref of refs) {
    op.signal.throwIfAborted()
    try {
      const uuid = memberUuid(context, verb, ref, clusters, current)
      const isMember = current.member_ids.includes(uuid)
      if (isMember === (verb === 'join')) {
        outcomes.push({ cluster: ref, result: 'unchanged' })
        continue
      }
      op.report.step(ref, verb === 'join' ? 'joining' : 'unjoining')
      current = await change(context, verb, current, uuid, clusters, op)
      op.report.done(ref, verb === 'join' ? 'joined' : 'unjoined')
      outcomes.push({ cluster: ref, result: verb === 'join' ? 'joined' : 'unjoined' })
    } catch (error) {
      op.signal.throwIfAborted()
      op.report.fail(ref)
      outcomes.push({ cluster: ref, result: 'failed', error: error as Error })
      current = { ...(await getFederation(service, federation.uuid).catch(() => current)) }
      current.member_ids ??= []
    }
  }
  return outcomes
}

/** A member that was deleted is known by its uuid alone, and can still be taken out. */
function memberUuid(
  context: MagnumContext,
  verb: Verb,
  ref: string,
  clusters: readonly Cluster[],
  federation: Federation,
): string {
  const byUuid = clusters.find(c => c.uuid === ref)
  if (byUuid) return byUuid.uuid
  const byName = clusters.filter(c => c.name === ref)
  const members = byName.filter(c => federation.member_ids.includes(c.uuid))
  // of several of one name, "unjoin" can only mean the one that is a member
  const meant = verb === 'unjoin' && members.length === 1 ? members : byName
  if (meant.length === 1) return (meant[0] as Cluster).uuid
  if (meant.length > 1) {
    throw new CoeError('conflict', `"${ref}" is the name of ${meant.length} clusters in ${context.where}`, {
      hint: `name it by its uuid: ${meant.map(c => `${c.uuid} (${c.status})`).join(', ')}`,
    })
  }
  if (verb === 'unjoin' && federation.member_ids.includes(ref)) return ref
  throw notFound(`no cluster "${ref}" in ${context.where}`, {
    hint: didYouMean(
      ref,
      clusters.map(c => c.name),
    ),
  })
}

async function change(
  context: MagnumContext,
  verb: Verb,
  federation: Federation,
  uuid: string,
  clusters: readonly Cluster[],
  op: Operation,
): Promise<Federation> {
  const service = await context.session.magnum()
  const patch = clusters.some(c => c.uuid === uuid) ? byValue(verb, uuid) : await byIndex(context, federation, uuid)
  try {
    await patchFederation(service, federation.uuid, patch)
  } catch (error) {
    // somebody else did the same a moment ago: so it is as asked for
    if (!(error instanceof CoeError && alreadySo(verb, error))) throw error
  }
  const wanted = (f: Federation) => (f.member_ids ?? []).includes(uuid) === (verb === 'join')
  const after = (await watchFederation(context, federation, wanted, op)) as Federation
  return { ...after, member_ids: after.member_ids ?? [] }
}

const byValue = (verb: Verb, uuid: string): JsonPatch => [
  { op: verb === 'join' ? 'add' : 'remove', path: '/member_ids', value: uuid },
]

/** The one way to take out a member whose cluster is gone. The index is read right before, and never left out: without it all members go. */
async function byIndex(context: MagnumContext, federation: Federation, uuid: string): Promise<JsonPatch> {
  const now = await getFederation(await context.session.magnum(), federation.uuid)
  const index = (now.member_ids ?? []).indexOf(uuid)
  if (index < 0) throw notFound(`${uuid} is not a member of federation "${federation.name}" any more`)
  return [{ op: 'remove', path: `/member_ids/${index}` }]
}

const alreadySo = (verb: Verb, error: CoeError): boolean =>
  verb === 'join'
    ? error.details.status === 409 && /already a member/.test(String(error.details.reason))
    : error.details.status === 404 && /not a member/.test(String(error.details.reason))
